"""Median wait in the queue, from ready to started.

Why it matters: a long wait says that the box was full; times from such a box are times of the queue.

Numerator: started draws with a known wait. Denominator: declared draws of the solvable slice. Unit: ms, one median a
task; type 7, interval from order statistics over tasks. Estimand: the median over tasks like these on this box.
Source: METHODS MC.

Bad: unknown taken as 0. Good: "p50 10 ms [8, 14]".
Fix: record when an attempt was ready and when it started.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.quantities import median
from denominator.metrics.reading import Reading
from denominator.metrics.shape import About, Metric
from denominator.records.estimates import Estimate

NAME = "queue_wait_median"
ESTIMAND = "wait from ready to started, median over tasks"


def measure(read: Reading) -> Estimate:
    """The median over started draws."""
    values = read.amounts("queue_wait_ms", lambda _: True)
    return median(About(NAME, ESTIMAND, "ms", read), values, read.declared, "nothing was started")


METRIC = Metric(Entry("MT056", NAME, "0.1.0", "metrics", __doc__ or ""), measure, performance=False)
