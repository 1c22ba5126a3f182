"""Every second attempt was declared before it started.

Why it matters: a silent second try for those that failed turns 56 of 72 into 59.

Bad: attempt 2 only where attempt 1 was red. Good: a sealed retry policy, retries promised in the journal, both
numbers printed.
Fix: declare the retry policy and run again; the first attempts stay what they are.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, block, of_kind
from denominator.records.judgements import Sheet

FIX = "declare the retry policy before the run"


def check(sheet: Sheet) -> Iterable[Said]:
    """One finding per defect."""
    for defect in of_kind(sheet, "undeclared_retries"):
        yield block("rows", defect.what, FIX, defect.where)


RULE = Rule(
    Entry("GL019", "undeclared-retries", "0.1.0", "gate", __doc__ or ""),
    check,
    "no attempt was repeated without a declaration",
)
