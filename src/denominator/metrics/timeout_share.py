"""timeout share: declared draws that were ended by a limit of their own.

Why it matters: what time or budget cut is no bad patch.

Numerator: draws of the solvable slice in failure class timeout. Denominator: its declared draws. Unit: draws.
Estimand: the share over tasks like these. Class counts are compared across seeds before models. Source: METHODS M13.

Bad: cut draws described as wrong patches. Good: 2 of 20 timeout.
Fix: raise one budget, record it, run again.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import Metric, share
from denominator.records.estimates import Estimate

NAME = "timeout_share"
ESTIMAND = "share of declared draws that were ended by a limit of their own"


def measure(read: Reading) -> Estimate:
    """Counted over declared draws."""
    return share(NAME, ESTIMAND, read, lambda draw: draw.failure_class == "timeout")


METRIC = Metric(Entry("MT050", NAME, "0.1.0", "metrics", __doc__ or ""), measure)
