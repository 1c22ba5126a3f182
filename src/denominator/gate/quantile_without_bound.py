"""A 95th percentile without an upper bound is a range check, not a percentile.

Why it matters: the largest of 12 values lies above the true 95th percentile with a probability of 0.46 only. Below 59
tasks there is no one-sided upper bound, below 72 no two-sided one, so nothing says how far up it may be.

Bad: "p95 = 41 s" of 12 tasks. Good: "range check: the largest of 12 was 41 s".
Fix: 72 tasks; or quote the range.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, note
from denominator.gate.withhold import unbounded
from denominator.records.judgements import Sheet

FIX = "72 tasks for an interval, or quote the range"


def check(sheet: Sheet) -> Iterable[Said]:
    """Percentiles that have a value and no upper end: their value is withheld, the lower end stands."""
    for one in sheet.estimates:
        if unbounded(one):
            yield note(one.metric, f"{one.metric} has no upper bound at this size: a range check only", FIX)


RULE = Rule(
    Entry("GL054", "quantile-without-bound", "0.1.0", "gate", __doc__ or ""),
    check,
    "no percentile is printed without its upper bound",
)
