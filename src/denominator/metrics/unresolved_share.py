"""unresolved share: declared draws that have no ending that anybody knows.

Why it matters: one unresolved row and nothing comparative may be said.

Numerator: draws of the solvable slice in failure class unresolved. Denominator: its declared draws. Unit: draws.
Estimand: the share over tasks like these. Class counts are compared across seeds before models. Source: METHODS M13.

Bad: counted as failures. Good: 0 of 20 unresolved.
Fix: find the event that explains the row.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import Metric, share
from denominator.records.estimates import Estimate

NAME = "unresolved_share"
ESTIMAND = "share of declared draws that have no ending that anybody knows"


def measure(read: Reading) -> Estimate:
    """Counted over declared draws."""
    return share(NAME, ESTIMAND, read, lambda draw: draw.failure_class == "unresolved")


METRIC = Metric(Entry("MT053", NAME, "0.1.0", "metrics", __doc__ or ""), measure, performance=False)
