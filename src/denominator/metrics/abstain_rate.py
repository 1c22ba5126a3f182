"""Abstain rate: declared draws in which the agent asked, abstained or left the tree alone.

Why it matters: an agent that says it cannot do a task is worth more than one that breaks it; both are no pass.

Numerator: draws of the solvable slice with exit abstain. Denominator: its declared draws. Unit: draws.

Bad: abstentions left out of n. Good: 3 of 20 abstained, in n, never a pass.
Fix: none; on must_ask tasks abstaining is right and is judged as a control.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import Metric, share
from denominator.records.estimates import Estimate

NAME = "abstain_rate"
ESTIMAND = "share of declared draws in which the agent abstained"


def measure(read: Reading) -> Estimate:
    """Counted over declared draws."""
    return share(NAME, ESTIMAND, read, lambda draw: draw.exit == "abstain")


METRIC = Metric(Entry("MT008", NAME, "0.1.0", "metrics", __doc__ or ""), measure)
