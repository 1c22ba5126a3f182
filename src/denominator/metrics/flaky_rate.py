"""Flaky rate: declared draws whose tests showed both results with the agent off.

Why it matters: a test that is red one time in three gives every agent a failing grade it did not earn, or a pass.

Numerator: draws of the solvable slice with origin FLAKY_TEST. Denominator: its declared draws. Unit: draws.

Bad: re-run until green. Good: found by the baseline before the run, counted here, repaired in a new pack version.
Fix: repair or retire the task.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import Metric, share
from denominator.records.estimates import Estimate

NAME = "flaky_rate"
ESTIMAND = "share of declared draws with a flaky baseline"


def measure(read: Reading) -> Estimate:
    """Counted over declared draws."""
    return share(NAME, ESTIMAND, read, lambda draw: draw.origin == "FLAKY_TEST")


METRIC = Metric(Entry("MT007", NAME, "0.1.0", "metrics", __doc__ or ""), measure, performance=False)
