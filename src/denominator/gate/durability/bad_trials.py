"""Every row of a bench can be read, belongs to it, and stands there once.

Why it matters: two different rows for one trial leave the choice of the result to whoever reads them.

Bad: the later of two rows wins. Good: both are named, and nothing is counted. A last line that was cut while it was
written is kept aside and reported with its byte; an identical row counts once; kinds of events that nobody knows are kept.
Fix: find out which row is right, or run the trial again."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.durability.shape import BenchRule
from denominator.gate.shape import Said, block, note
from denominator.records.durability import BenchSheet

FIX = "look at the named rows"


def check(sheet: BenchSheet) -> Iterable[Said]:
    """What reading found."""
    for one in sheet.defects:
        say = block if one.blocks else note
        yield say("rows", f"{one.kind}: {one.what}", FIX if one.blocks else "", one.where)


RULE = BenchRule(
    Entry("GL084", "bad-trials", "0.1.0", "gate", __doc__ or ""),
    check,
    "every row can be read and belongs to the bench",
)
