"""Infra censor rate: declared draws that infrastructure ended.

Why it matters: a censored draw is missing data; many of them make every pass rate a guess about the rest.

Numerator: draws of the solvable slice with origin INFRA. Denominator: its declared draws. Unit: draws.

Bad: left out of the table. Good: 1 of 20 printed beside the rate.
Fix: look at the reasons; a full disk and an exhausted quota have different owners.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import Metric, share
from denominator.records.estimates import Estimate

NAME = "infra_censor_rate"
ESTIMAND = "share of declared draws that infrastructure ended"


def measure(read: Reading) -> Estimate:
    """Counted over declared draws."""
    return share(NAME, ESTIMAND, read, lambda draw: draw.origin == "INFRA")


METRIC = Metric(Entry("MT005", NAME, "0.1.0", "metrics", __doc__ or ""), measure, performance=False)
