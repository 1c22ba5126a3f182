"""Negative pass rate: draws of the negative slice that ended in a pass.

Why it matters: it is scored apart and never averaged with the solvable slice; which of these passes were violations
is told by the controls and by the false-pass rate.

Numerator: passes among the draws of the negative slice that nothing may pass. Denominator: those draws; controls that
have to stay green are not among them. Unit: negative draws. Estimand: the share over negative tasks like these.
Source: METHODS M12.

Bad: 16 solvable and 4 negative tasks in one mean. Good: "negative slice: 0 of 4 passed".
Fix: read the patches of those that passed, then the tests.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading, may_not_pass
from denominator.metrics.shape import About, Metric, share_among
from denominator.records.estimates import Estimate

NAME = "negative_pass_rate"
ESTIMAND = "share of negative draws that nothing may pass and that passed"
NONE = "no negative draw that nothing may pass was declared"


def measure(read: Reading) -> Estimate:
    """Passes of the negative slice over its draws."""
    about = About(NAME, ESTIMAND, "negative draws", read)
    return share_among(about, may_not_pass, lambda draw: draw.exit == "pass", "negative", NONE)


METRIC = Metric(Entry("MT045", NAME, "0.1.0", "metrics", __doc__ or ""), measure, performance=False)
