"""p95 latency of valid model calls, by nearest rank.

Why it matters: it is what a person in front of the tool waits for; a mean hides the slow ones.

Numerator: valid calls. Denominator: calls made, all slices. Unit: ms from the request to the last byte, one p95 a
task; nearest rank, never the index below it; interval from order statistics over tasks, so p95 has no upper end below
72 tasks (59 for one side). Estimand: tasks like these at this endpoint and these dates. Calls that timed out or broke
off are cut off at their limit and are in no quantile: the parts count them. Source: METHODS M9.

Bad: "p95 = 25 s" from the 11th of 12 values. Good: "30 s, at least 10.3 s, no upper bound from 12 tasks".
Fix: more tasks; a gateway that records every call.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.quantities import latency, p95
from denominator.metrics.reading import Reading
from denominator.metrics.shape import About, Metric
from denominator.records.estimates import Estimate

NAME = "latency_p95"
ESTIMAND = "latency of a valid call, p95 over tasks"


def measure(read: Reading) -> Estimate:
    """The quantile, and how many calls are not in it."""
    return latency(About(NAME, ESTIMAND, "ms", read), p95)


METRIC = Metric(Entry("MT043", NAME, "0.1.0", "metrics", __doc__ or ""), measure, performance=False)
