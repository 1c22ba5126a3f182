"""When a replay flips more draws than its ceiling, there is an interval and no number in its middle.

Why it matters: a pass that is none on the next day was not a property of the agent. Above the ceiling (0.20, a
convention) the middle of an interval is one of the numbers that the same run could have given.

Bad: 29 of 40 and "72.5 %", although 11 of 40 ended otherwise a day later. Good: the count and its interval, "interval
only", and before any comparison: raise the repeats.
Fix: raise `budget.repeats`, so that the spread is inside the number instead of behind it.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, counted, note
from denominator.records.judgements import Sheet
from denominator.records.replays import Replay
from denominator.records.seals import Terms


def check(sheet: Sheet) -> Iterable[Said]:
    """Every replay whose flip rate is above the ceiling."""
    ceiling = sheet.terms.replay_ceiling
    for replay in above_ceiling(sheet.terms):
        draws = counted(replay.draws, "replayed draw")
        what = f"interval only: {replay.flips} of {draws} flipped in {replay.run_id}, above the ceiling {ceiling}"
        yield note("replay", what, "raise the repeats before anything is compared")


def above_ceiling(terms: Terms) -> Iterable[Replay]:
    """Those replays. Of an unknown rate its least counts: what did flip has flipped."""
    for replay in terms.replays:
        least = replay.rate if isinstance(replay.rate, str) else replay.lo_bound
        if isinstance(least, str) and terms.replay_ceiling and Fraction(least) > Fraction(terms.replay_ceiling):
            yield replay


RULE = Rule(
    Entry("GL046", "flips-above-ceiling", "0.1.0", "gate", __doc__ or ""),
    check,
    "no replay flipped more draws than its ceiling allows",
    caps=True,
    hides_value=True,
)
