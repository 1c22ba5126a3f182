"""compile_fail share: declared draws that did not compile or import.

Why it matters: a patch that does not build was never tested; it is another failure than a wrong one.

Numerator: draws of the solvable slice in failure class compile_fail. Denominator: its declared draws. Unit: draws.
Estimand: the share over tasks like these. Class counts are compared across seeds before models. Source: METHODS M13.

Bad: red tests and broken builds in one number. Good: 2 of 20 compile_fail.
Fix: none in the metric; read the build log of each.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import Metric, share
from denominator.records.estimates import Estimate

NAME = "compile_fail_share"
ESTIMAND = "share of declared draws that did not compile or import"


def measure(read: Reading) -> Estimate:
    """Counted over declared draws."""
    return share(NAME, ESTIMAND, read, lambda draw: draw.failure_class == "compile_fail")


METRIC = Metric(Entry("MT048", NAME, "0.1.0", "metrics", __doc__ or ""), measure)
