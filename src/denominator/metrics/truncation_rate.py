"""Truncation rate: first attempts that time or budget cut.

Why it matters: a cut attempt is no bad patch. Above 0 the sentence has to say that a budget cut some.

Numerator: draws of the solvable slice whose first attempt was stopped by its own timeout or budget. Denominator:
its declared draws. Unit: draws.

Bad: cut attempts described as wrong patches. Good: "2 of 20 were cut by their budget".
Fix: raise one budget, record it, run again.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.shape import Metric, missing, rate
from denominator.records.estimates import Estimate
from denominator.records.judgements import JudgedDraw, Sheet
from denominator.records.values import NotMeasured

NAME = "truncation_rate"
ESTIMAND = "share of declared draws whose first attempt was cut by its own time or budget"


def measure(sheet: Sheet) -> Estimate:
    """Cut first attempts over declared draws."""
    draws = sheet.of_slice("solvable")
    unread = sum(not _known(draw) for draw in draws)
    if unread:
        why = NotMeasured(f"what ended the first attempt was not recorded for {unread} draws")
        return missing(NAME, ESTIMAND, "draws", sheet, why, why, sheet.solvable_n())
    count = sum(_cut(draw) for draw in draws)
    return rate(NAME, ESTIMAND, count, sheet.solvable_n(), "draws", sheet, empty="no draw was declared")


def _known(draw: JudgedDraw) -> bool:
    return all(isinstance(row.killed_by, str) or isinstance(row.stop_reason, str) for row in draw.tries[:1])


def _cut(draw: JudgedDraw) -> bool:
    if not draw.tries:
        return False
    first = draw.tries[0]
    killed = first.killed_by if isinstance(first.killed_by, str) else ""
    return first.stop_reason in ("timeout", "budget") or killed.startswith("budget_")


METRIC = Metric(Entry("MT012", NAME, "0.1.0", "metrics", __doc__ or ""), measure, performance=False)
