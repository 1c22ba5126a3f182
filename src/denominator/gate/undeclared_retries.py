"""Every second attempt was declared before it started.

Why it matters: a silent second try for those that failed turns 56 of 72 into 59.

Bad: attempt 2 only where attempt 1 was red. Good: a sealed retry policy, retries promised in the journal, both
numbers printed.
Fix: declare the retry policy and run again; the first attempts stay what they are.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, from_defects
from denominator.records.judgements import Sheet

FIX = "declare the retry policy before the run; attempt numbers that are trials belong into `repeats`"


def check(sheet: Sheet) -> Iterable[Said]:
    """What the audit or the reader found."""
    return from_defects(sheet, "rows", FIX, "undeclared_retries")


RULE = Rule(
    Entry("GL019", "undeclared-retries", "0.1.0", "gate", __doc__ or ""),
    check,
    "no attempt was repeated without a declaration",
)
