"""Flaky rate: declared draws whose tests showed both results with the agent off.

Why it matters: a test that is red one time in three gives every agent a failing grade it did not earn, or a pass.

Numerator: draws of the solvable slice with origin FLAKY_TEST. Denominator: its declared draws. Unit: draws.

Bad: re-run until green. Good: found by the baseline before the run, counted here, repaired in a new pack version.
Fix: repair or retire the task.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.shape import Metric, rate
from denominator.records.estimates import Estimate
from denominator.records.judgements import Sheet

NAME = "flaky_rate"


def measure(sheet: Sheet) -> Estimate:
    """Counted over declared draws."""
    count = sum(draw.origin == "FLAKY_TEST" for draw in sheet.of_slice("solvable"))
    estimand = "share of declared draws with a flaky baseline"
    return rate(NAME, estimand, count, sheet.solvable_n(), "draws", sheet, empty="no draw was declared")


METRIC = Metric(Entry("MT007", NAME, "0.1.0", "metrics", __doc__ or ""), measure, performance=False)
