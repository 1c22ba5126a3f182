"""Passes without faults: capability, the first of the three lines of a bench.

Why it matters: durability says nothing of what the agent can do, and a bench that hides it invites one number for both.

Numerator: trials without a fault that end in a correct pass. Denominator: trials without a fault. Unit: trials, the task
as the cluster. Source: METHODS M4.

Bad: one score of capability and durability together. Good: three lines.
Fix: none."""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.durability.shape import About, BenchMetric
from denominator.records.estimates import Estimate
from denominator.records.trials import BenchReading, passed

NAME = "faultless_pass_rate"
ESTIMAND = "a correct pass without faults"


def measure(read: BenchReading) -> Estimate:
    """Correct passes over trials without a fault."""
    return About(NAME, ESTIMAND, "trials", read).share(read.plain, passed, "no trial without a fault is given")


METRIC = BenchMetric(Entry("MT067", NAME, "0.1.0", "metrics", __doc__ or ""), measure, "capability")
