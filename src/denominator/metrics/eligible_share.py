"""Eligible share: declared draws whose ending was the model's.

Why it matters: they are the denominator of the resolved rate; the fewer they are, the more that rate is a guess.

Numerator (`eligible_n`): draws of the solvable slice with origin MODEL. Denominator (`scheduled_n`): its declared
draws. Unit: draws. Source: METHODS M2.

Bad: "resolved 9 of 9" from 20 declared draws. Good: "9 of 20 eligible".
Fix: re-run censored rows under the sealed retry policy.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import Metric, share
from denominator.records.estimates import Estimate

NAME = "eligible_share"
ESTIMAND = "share of declared draws whose ending was the model's"


def measure(read: Reading) -> Estimate:
    """Counted over declared draws."""
    return share(NAME, ESTIMAND, read, lambda draw: draw.origin == "MODEL")


METRIC = Metric(Entry("MT018", NAME, "0.1.0", "metrics", __doc__ or ""), measure, performance=False)
