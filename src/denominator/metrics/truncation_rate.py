"""Truncation rate: first attempts that time or budget cut.

Why it matters: a cut attempt is no bad patch. Above 0 the sentence has to say that a budget cut some.

Numerator: draws of the solvable slice whose first attempt was stopped by its own timeout or budget. Denominator:
its declared draws. Unit: draws.

Bad: cut attempts described as wrong patches. Good: "2 of 20 were cut by their budget".
Fix: raise one budget, record it, run again.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import Metric, share_where_known
from denominator.records.estimates import Estimate
from denominator.records.judgements import JudgedDraw

NAME = "truncation_rate"
ESTIMAND = "share of declared draws whose first attempt was cut by its own time or budget"


def measure(read: Reading) -> Estimate:
    """Cut first attempts over declared draws."""
    return share_where_known(NAME, ESTIMAND, read, _cut, _known, "what ended the first attempt was not recorded")


def _known(draw: JudgedDraw) -> bool:
    return all(isinstance(row.killed_by, str) or isinstance(row.stop_reason, str) for row in draw.tries[:1])


def _cut(draw: JudgedDraw) -> bool:
    if not draw.tries:
        return False
    first = draw.tries[0]
    killed = first.killed_by if isinstance(first.killed_by, str) else ""
    return first.stop_reason in ("timeout", "budget") or killed.startswith("budget_")


METRIC = Metric(Entry("MT012", NAME, "0.1.0", "metrics", __doc__ or ""), measure, performance=False)
