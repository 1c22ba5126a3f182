"""One seed is a demonstration; three are the least that may be cited.

Why it matters: an agent under another seed is the smallest difference there is. Nobody knows how large it is from one.
Three seeds are a convention, not a proof: a task with a pass rate of 0.9 agrees with itself three times in 73 of 100.

Bad: seed 7, "the agent solves 13 of 20". Good: "seeds 7, 11, 13", with the class counts of each.
Fix: run more seeds under the same envelope (`run.seeds`, one for each repeat).
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.known import seeds_of
from denominator.gate.shape import Rule, Said, counted, note
from denominator.records.judgements import Sheet

LEAST = 3


def check(sheet: Sheet) -> Iterable[Said]:
    """The number of distinct seeds, where rows have any."""
    seeds = seeds_of(sheet)
    if seeds and len(seeds) < LEAST:
        word = "a demonstration" if len(seeds) == 1 else f"fewer than {LEAST}"
        more = counted(LEAST - len(seeds), "more seed")
        what = f"{counted(len(seeds), 'seed')}: {word}, not to be cited by failure classes"
        yield note("seeds", what, f"{more} under the same envelope")


RULE = Rule(
    Entry("GL050", "few-seeds", "0.1.0", "gate", __doc__ or ""),
    check,
    "at least 3 seeds, or rows that name none",
)
