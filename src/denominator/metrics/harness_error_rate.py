"""Harness error rate: declared draws that our own side ended.

Why it matters: a grader that dies gives zeros that look like failures of the agent.

Numerator: draws of the solvable slice with origin HARNESS. Denominator: its declared draws. Unit: draws.

Bad: twelve rewards of 0.0 and a green job. Good: 12 of 12 harness errors, nothing graded, blocked.
Fix: repair the harness, then make a new run; these rows say nothing about the agent.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import Metric, share
from denominator.records.estimates import Estimate

NAME = "harness_error_rate"
ESTIMAND = "share of declared draws that the harness ended"


def measure(read: Reading) -> Estimate:
    """Counted over declared draws."""
    return share(NAME, ESTIMAND, read, lambda draw: draw.origin == "HARNESS")


METRIC = Metric(Entry("MT006", NAME, "0.1.0", "metrics", __doc__ or ""), measure, performance=False)
