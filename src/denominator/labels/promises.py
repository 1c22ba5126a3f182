"""What the rules of all controls share."""

from __future__ import annotations

from denominator.labels.shape import Said, View
from denominator.records.words import Axis, ControlState, Outcome

OTHER = "it is another control"
JUDGED = (Outcome.PASS, Outcome.FAIL, Outcome.ABSTAIN)


def inconclusive(view: View) -> Said | None:
    """What infrastructure or the harness ended says nothing about the control."""
    outcome = view.one(Axis.OUTCOME)
    if outcome in JUDGED:
        return None
    why = f"the row is {outcome}: {view.one(Axis.REASON) or 'no reason known'}"
    return Said(ControlState.INCONCLUSIVE, why, ("grade", "first_unrecovered"))
