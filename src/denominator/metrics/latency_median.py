"""Median latency of valid model calls.

Why it matters: it is what a person in front of the tool waits for; a mean hides the slow ones.

Numerator: valid calls. Denominator: calls made, all slices. Unit: ms from the request to the last byte, one median a
task; type 7; interval from order statistics over tasks, so p95 has no upper end below 72 tasks (59 for one side).
Estimand: tasks like these at this endpoint and these dates. Calls that timed out or broke off are cut off at their
limit and are in no quantile: the parts count them. Source: METHODS M9.

Bad: every call counted as independent, five a task. Good: "1200 ms [900, 1500], 20 tasks".
Fix: more tasks; a gateway that records every call.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.quantities import latency, median
from denominator.metrics.reading import Reading
from denominator.metrics.shape import About, Metric
from denominator.records.estimates import Estimate

NAME = "latency_median"
ESTIMAND = "latency of a valid call, median over tasks"


def measure(read: Reading) -> Estimate:
    """The quantile, and how many calls are not in it."""
    return latency(About(NAME, ESTIMAND, "ms", read), median)


METRIC = Metric(Entry("MT042", NAME, "0.1.0", "metrics", __doc__ or ""), measure, performance=False)
