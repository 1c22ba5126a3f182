"""Passes under faults that interrupt nothing (slow, clock_jump): apart from the resume success rate.

Why it matters: nothing had to be resumed there, so such trials would lift a resume rate without proof of anything.

Numerator: trials under such a fault that end in a correct pass. Denominator: trials in which it came. Unit: trials, the
task as the cluster. Source: METHODS M4.

Bad: 20 slow trials inside a resume success rate. Good: "5 of 5 under slow and clock_jump", on a line of its own.
Fix: none."""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.durability.shape import About, BenchMetric
from denominator.records.estimates import Estimate
from denominator.records.trials import BenchReading, passed

NAME = "quiet_pass_rate"
ESTIMAND = "a correct pass under a fault that interrupts nothing"


def measure(read: BenchReading) -> Estimate:
    """Correct passes over trials under such a fault."""
    about = About(NAME, ESTIMAND, "trials", read)
    return about.share(read.quiet, passed, "no fault was planned that interrupts nothing, or none came")


METRIC = BenchMetric(Entry("MT066", NAME, "0.1.0", "metrics", __doc__ or ""), measure, "durability")
