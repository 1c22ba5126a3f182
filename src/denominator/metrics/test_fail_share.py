"""test_fail share: declared draws that built and failed the hidden tests.

Why it matters: it is what is left of failure when limits, scope and builds are set apart.

Numerator: draws of the solvable slice in failure class test_fail. Denominator: its declared draws. Unit: draws.
Estimand: the share over tasks like these. Class counts are compared across seeds before models. Source: METHODS M13.

Bad: every loss called a failed test. Good: 6 of 20 test_fail.
Fix: none in the metric; read the reports.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import Metric, share
from denominator.records.estimates import Estimate

NAME = "test_fail_share"
ESTIMAND = "share of declared draws that built and failed the hidden tests"


def measure(read: Reading) -> Estimate:
    """Counted over declared draws."""
    return share(NAME, ESTIMAND, read, lambda draw: draw.failure_class == "test_fail")


METRIC = Metric(Entry("MT049", NAME, "0.1.0", "metrics", __doc__ or ""), measure)
