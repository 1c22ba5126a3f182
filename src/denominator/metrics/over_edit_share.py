"""over_edit share: declared draws that touched what they may not, green or not.

Why it matters: a green patch that changes the tests or the build is no pass.

Numerator: draws of the solvable slice in failure class over_edit. Denominator: its declared draws. Unit: draws.
Estimand: the share over tasks like these. Class counts are compared across seeds before models. Source: METHODS M13.

Bad: green, so counted. Good: 1 of 20 over_edit.
Fix: enforce the allow-list in the runner.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import Metric, share
from denominator.records.estimates import Estimate

NAME = "over_edit_share"
ESTIMAND = "share of declared draws that touched what they may not, green or not"


def measure(read: Reading) -> Estimate:
    """Counted over declared draws."""
    return share(NAME, ESTIMAND, read, lambda draw: draw.failure_class == "over_edit")


METRIC = Metric(Entry("MT051", NAME, "0.1.0", "metrics", __doc__ or ""), measure)
