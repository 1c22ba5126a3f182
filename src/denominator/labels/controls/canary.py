"""A token that no correct patch contains must not turn up.

Why it matters: where it turns up, the answer has leaked, and no rate means anything.

Bad: the token is there in base64, and nobody decoded it.
Good: violated by a token in patch or log; an echo of the card alone is a leak to report; unsearched is inconclusive.
Fix: find the way by which token or card reached the agent.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.promises import OTHER, inconclusive
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis, Control, ControlState


def judge(view: View) -> Answer:
    """Does it hold?"""
    if view.row.control != Control.CANARY:
        return No(OTHER, ("control",))
    if view.row.canary_hits:
        return Said(ControlState.VIOLATED, "the canary token is in the patch or the log", ("canary_hits",))
    if view.row.canary_echo is True:
        why = "the card with the token reached the agent, which printed it: a leak to report"
        return Said(ControlState.INCONCLUSIVE, why, ("canary_echo",))
    if (open_ := inconclusive(view)) is not None:
        return open_
    if facts.canary_searched(view.row):
        return Said(ControlState.HELD, "no token was found", ("canary_hits", "patch"))
    return Said(ControlState.INCONCLUSIVE, "the patch was not searched for the token", ("canary_searched", "patch"))


RULE = Rule(
    Entry("LB509", "control-canary", "0.1.0", "label controls", __doc__ or ""),
    Axis.CONTROL,
    judge,
    "a token in the patch",
)
