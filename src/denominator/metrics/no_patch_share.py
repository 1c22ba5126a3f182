"""no_patch share: declared draws that ended without a patch.

Why it matters: an empty patch may be an abstention or a broken harvest; either way it is in n.

Numerator: draws of the solvable slice in failure class no_patch. Denominator: its declared draws. Unit: draws.
Estimand: the share over tasks like these. Class counts are compared across seeds before models. Source: METHODS M13.

Bad: dropped as "did not run". Good: 3 of 20 no_patch.
Fix: look at the last calls of each.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import Metric, share
from denominator.records.estimates import Estimate

NAME = "no_patch_share"
ESTIMAND = "share of declared draws that ended without a patch"


def measure(read: Reading) -> Estimate:
    """Counted over declared draws."""
    return share(NAME, ESTIMAND, read, lambda draw: draw.failure_class == "no_patch")


METRIC = Metric(Entry("MT052", NAME, "0.1.0", "metrics", __doc__ or ""), measure)
