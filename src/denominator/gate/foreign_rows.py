"""Every row belongs to a declared draw.

Why it matters: a task that was added after the results were seen is chosen by its result.

Bad: task `t11` has a row and stands in no list. Good: it is in the next data set, under a new digest.
Fix: remove the row from the input, or declare the task and run again.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, from_defects
from denominator.records.judgements import Sheet

FIX = "declare the task before the run, or take the row out of the input"


def check(sheet: Sheet) -> Iterable[Said]:
    """What the audit or the reader found."""
    return from_defects(sheet, "rows", FIX, "foreign_rows")


RULE = Rule(
    Entry("GL004", "foreign-rows", "0.1.0", "gate", __doc__ or ""),
    check,
    "every row belongs to a declared draw",
)
