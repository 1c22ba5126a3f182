"""A control that no rule knows is inconclusive.

Why it matters: a promise that nobody can check is no control.

Bad: an unknown word counts as held.
Good: inconclusive, and the gate refuses the number.
Fix: use a control of the list (docs/formats/pack.md).
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.shape import Answer, Rule, Said, View
from denominator.records.words import Axis, ControlState


def judge(view: View) -> Answer:
    """Does it hold?"""
    return Said(ControlState.INCONCLUSIVE, f"nothing is known about a control {view.row.control}", ("control",))


RULE = Rule(
    Entry("LB599", "control-unknown", "0.1.0", "label controls", __doc__ or ""),
    Axis.CONTROL,
    judge,
    "a control that a rule knows",
)
