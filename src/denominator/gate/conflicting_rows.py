"""Two rows under one key say the same.

Why it matters: with "last one wins" a fail becomes a pass by appending a line.

Bad: attempt 1 of `t4` is once red and once green. Good: one row per attempt; a retry is attempt 2, promised before
it started.
Fix: find out which of the two was written by the run; the other one is no attempt.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, from_defects
from denominator.records.judgements import Sheet

FIX = "keep the row that the run wrote; a retry needs an attempt number of its own"


def check(sheet: Sheet) -> Iterable[Said]:
    """What the audit or the reader found."""
    return from_defects(sheet, "rows", FIX, "conflicting_rows")


RULE = Rule(
    Entry("GL005", "conflicting-rows", "0.1.0", "gate", __doc__ or ""),
    check,
    "no two rows under one key differ",
)
