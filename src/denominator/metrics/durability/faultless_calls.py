"""Efficiency: model calls of a trial without faults, the second of the three lines of a bench.

Why it matters: the cost of a replay only tells something beside the cost of the work itself.

Numerator: model calls summed over trials without a fault. Denominator: those trials. Unit: calls a trial; interval of a ratio of
sums over tasks. Unknown as soon as one trial did not record it. Source: METHODS M4.

Bad: a mean over the trials that happened to record it. Good: a sum, its trials, its interval.
Fix: record usage per call."""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.durability.shape import About, BenchMetric
from denominator.records.estimates import Estimate
from denominator.records.trials import BenchReading

NAME = "faultless_calls"
ESTIMAND = "model calls of a trial without faults"


def measure(read: BenchReading) -> Estimate:
    """Sum and mean over trials without a fault."""
    return About(NAME, ESTIMAND, "calls", read).each(
        read.plain, lambda one: one.calls, "no trial without a fault is given"
    )


METRIC = BenchMetric(Entry("MT068", NAME, "0.1.0", "metrics", __doc__ or ""), measure, "efficiency")
