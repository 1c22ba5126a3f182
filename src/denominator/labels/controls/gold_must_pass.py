"""The reference patch must pass.

Why it matters: where the right answer is red, red says nothing.

Bad: 12 rows of 0.0 from a grader that never ran a test.
Good: control violated or inconclusive, nothing is published.
Fix: repair the grader or the pack.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.promises import OTHER, inconclusive
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis, Control, ControlState, Outcome


def judge(view: View) -> Answer:
    """Does it hold?"""
    if view.row.control != Control.GOLD_MUST_PASS:
        return No(OTHER, ("control",))
    if (open_ := inconclusive(view)) is not None:
        return open_
    if view.one(Axis.OUTCOME) == Outcome.PASS:
        return Said(ControlState.HELD, "the reference patch passes", ("grade",))
    why = f"expected pass, got {view.one(Axis.OUTCOME)}: the reference patch does not pass"
    return Said(ControlState.VIOLATED, why, ("grade",))


RULE = Rule(
    Entry("LB504", "control-gold-must-pass", "0.1.0", "label controls", __doc__ or ""),
    Axis.CONTROL,
    judge,
    "the opposite verdict",
)
