"""No task is left out after the lock.

Why it matters: tasks that are dropped once the scores are known are dropped because of their scores.

Bad: two "unstable" tasks are excluded after the fact and 4 of 6 is printed. Good: 4 of 8, or a new contract that
starts a new study.
Fix: score all locked tasks; fork the contract for the next study.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, block, of_kind
from denominator.records.judgements import Sheet

FIX = "score every locked task; an exclusion starts a new study"


def check(sheet: Sheet) -> Iterable[Said]:
    """One finding per defect."""
    for defect in of_kind(sheet, "post_lock_exclusion"):
        yield block("contract", defect.what, FIX, defect.where)


RULE = Rule(
    Entry("GL018", "post-lock-exclusion", "0.1.0", "gate", __doc__ or ""),
    check,
    "no task was left out after the lock",
)
