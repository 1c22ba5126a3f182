"""Two seeds that end differently more than chance allows: wait, before anything is compared.

Why it matters: the same agent under another seed is the smallest difference there is. Where that already moves the
class counts, a difference between two agents may be no more than another seed.

Bad: seed 7 ends in 9 timeouts, seed 11 in none, and their mean is set beside another model. Good: "wait: seeds 7 and
11 differ in timeout, 9 tasks against 0, p = 0.004", and counts only.
The check: exact McNemar for each class over the tasks that both seeds drew, Holm over classes and pairs, at 0.05.
Fix: find out what differs (a cold cache, a limit, the hour), or add seeds and report them all.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, note
from denominator.records.judgements import Sheet
from denominator.records.seeds import SeedTable


def check(sheet: Sheet) -> Iterable[Said]:
    """Every pair of seeds that differs."""
    if not isinstance(sheet.seeds, SeedTable):
        return
    for pair in sheet.seeds.pairs:
        if pair.wait:
            what = (
                f"wait: seeds {pair.first} and {pair.second} differ more than chance in {pair.klass}: {pair.only_first} "
                f"of {pair.tasks} tasks only under {pair.first}, {pair.only_second} only under {pair.second}, p = {pair.p}"
            )
            yield note("seeds", what, "find out what differs between the seeds, or add seeds and report them all")


RULE = Rule(
    Entry("GL036", "seeds-differ", "0.1.0", "gate", __doc__ or ""),
    check,
    "no two seeds differ more than chance",
    caps=True,
    reads_split=True,
)
