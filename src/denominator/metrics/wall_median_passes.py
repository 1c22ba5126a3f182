"""Median wall time of passes.

Why it matters: the time of a pass and the time of a failure are two numbers; failures pile up at the cap.

Numerator: passes, as many as the median is of. Denominator: declared draws of the solvable slice. Unit: ms, one
median a task; type 7, interval from order statistics over tasks. Estimand: the median over tasks like these, among
those that pass, on this host. Source: METHODS M14.

Bad: a mean with the capped ones inside. Good: "p50 of 9 passes: 41 s".
Fix: a host of one's own, the same window for both arms.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.quantities import median
from denominator.metrics.reading import Reading
from denominator.metrics.shape import About, Metric
from denominator.records.estimates import Estimate

NAME = "wall_median_passes"
ESTIMAND = "wall time of a pass, median over tasks"


def measure(read: Reading) -> Estimate:
    """The median over passes."""
    values = read.amounts("wall_ms", lambda draw: draw.exit == "pass")
    return median(About(NAME, ESTIMAND, "ms", read), values, read.declared, "nothing passed")


METRIC = Metric(Entry("MT055", NAME, "0.1.0", "metrics", __doc__ or ""), measure)
