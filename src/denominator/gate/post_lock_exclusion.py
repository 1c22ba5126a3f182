"""No task is left out after the lock.

Why it matters: tasks that are dropped once the scores are known are dropped because of their scores.

Bad: two "unstable" tasks are excluded after the fact and 4 of 6 is printed. Good: 4 of 8, or a new contract that
starts a new study.
Fix: score all locked tasks; fork the contract for the next study.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, from_defects
from denominator.records.judgements import Sheet

FIX = "score every locked task; an exclusion starts a new study"


def check(sheet: Sheet) -> Iterable[Said]:
    """What the audit or the reader found."""
    return from_defects(sheet, "contract", FIX, "post_lock_exclusion")


RULE = Rule(
    Entry("GL018", "post-lock-exclusion", "0.1.0", "gate", __doc__ or ""),
    check,
    "no task was left out after the lock",
)
