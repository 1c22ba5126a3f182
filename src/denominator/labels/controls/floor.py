"""A one-line fix that measures the harness: any verdict holds.

Why it matters: the cost of the harness itself must be known before the cost of agents is compared.

Bad: the floor task is averaged into the rate.
Good: held when it came to a verdict; its time is the overhead.
Fix: look at the set-up when it does not come to a verdict.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.promises import OTHER, inconclusive
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis, Control, ControlState


def judge(view: View) -> Answer:
    """Does it hold?"""
    if view.row.control != Control.FLOOR:
        return No(OTHER, ("control",))
    if (open_ := inconclusive(view)) is not None:
        return open_
    return Said(ControlState.HELD, f"it came to a verdict: {view.one(Axis.OUTCOME)}", ("grade",))


RULE = Rule(
    Entry("LB510", "control-floor", "0.1.0", "label controls", __doc__ or ""),
    Axis.CONTROL,
    judge,
    "no verdict",
)
