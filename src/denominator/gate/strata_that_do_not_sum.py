"""The strata of a data set sum to its size, and no stratum holds more than was declared.

Why it matters: strata that overlap or leave something out let a whole suite vanish between them.

Bad: strata 4 + 4 + 3 of 12. Good: 4 + 4 + 4.
Fix: correct the manifest before the next run.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, from_defects
from denominator.records.judgements import Sheet

FIX = "make the strata sum to the declared number of draws"


def check(sheet: Sheet) -> Iterable[Said]:
    """What the audit or the reader found."""
    return from_defects(sheet, "strata", FIX, "strata_do_not_sum")


RULE = Rule(
    Entry("GL028", "strata-that-do-not-sum", "0.1.0", "gate", __doc__ or ""),
    check,
    "the strata sum to the declared size",
)
