"""Unscoreable rate: declared draws that ended without a score.

Why it matters: above its sealed ceiling the run describes the host and the provider, not the agent, and no
aggregate is printed.

Numerator: draws of the solvable slice with exit unscoreable. Denominator: its declared draws. Unit: draws.

Bad: errors divided by the attempts that were allowed, which dilutes them. Good: 2 of 20, ceiling 0.10: equal, not
above.
Fix: find the reasons on the card and re-run under the sealed retry policy.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import Metric, share
from denominator.records.estimates import Estimate

NAME = "unscoreable_rate"
ESTIMAND = "share of declared draws without a score"


def measure(read: Reading) -> Estimate:
    """Counted over declared draws."""
    return share(NAME, ESTIMAND, read, lambda draw: draw.exit not in ("pass", "fail", "abstain", "never_started"))


METRIC = Metric(Entry("MT004", NAME, "0.1.0", "metrics", __doc__ or ""), measure, performance=False)
