"""Longest latency of a valid model call.

Why it matters: with few tasks it is what p95 shrinks to; it never bounds what comes next.

Numerator: valid calls. Denominator: calls made, all slices. Unit: ms from the request to the last byte; the largest
one. Estimand: the largest of this run, which is no estimate of anything else. Source: METHODS M9.

Bad: "at most 30 s". Good: "longest 30 s of 12 valid calls; 2 calls timed out".
Fix: none.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.quantities import no_latency
from denominator.metrics.reading import Reading
from denominator.metrics.shape import About, Metric
from denominator.records.estimates import Estimate
from denominator.records.values import NotMeasured

NAME = "latency_max"
ESTIMAND = "longest latency of a valid call in this run"
NO_INTERVAL = NotMeasured("the largest of this run")


def measure(read: Reading) -> Estimate:
    """The largest known latency, where all are known."""
    about, made = About(NAME, ESTIMAND, "ms", read), read.calls_made
    values = read.call_times
    if (why := no_latency(read)) is not None:
        return about.missing(why, values.known, made)
    return about.number(values.known, made, max(values.values), (NO_INTERVAL, NO_INTERVAL), "largest value")


METRIC = Metric(Entry("MT044", NAME, "0.1.0", "metrics", __doc__ or ""), measure, performance=False)
