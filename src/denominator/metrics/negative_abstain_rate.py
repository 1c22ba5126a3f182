"""Negative abstain rate: draws of the negative slice in which the agent asked, abstained or left the tree alone.

Why it matters: on a task that cannot be done, saying so is the right ending; no abstention at all is worth a note.

Numerator: abstentions among the draws of the negative slice that nothing may pass. Denominator: those draws; controls
that have to stay green are not among them. Unit: negative draws. Estimand: the share over negative tasks like these;
never averaged with the solvable slice. Source: METHODS M12.

Bad: counted among the failures of the run. Good: "negative slice: 3 of 4 abstained".
Fix: give the agent a way to say that a task cannot be done.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading, may_not_pass
from denominator.metrics.shape import About, Metric, share_among
from denominator.records.estimates import Estimate

NAME = "negative_abstain_rate"
ESTIMAND = "share of declared negative draws in which the agent abstained"
NONE = "no negative draw that nothing may pass was declared"


def measure(read: Reading) -> Estimate:
    """Abstentions of the negative slice over its draws."""
    about = About(NAME, ESTIMAND, "negative draws", read)
    return share_among(about, may_not_pass, lambda draw: draw.exit == "abstain", "negative", NONE)


METRIC = Metric(Entry("MT046", NAME, "0.1.0", "metrics", __doc__ or ""), measure)
