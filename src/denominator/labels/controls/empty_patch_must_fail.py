"""The empty patch must fail.

Why it matters: a reward that looks only for a finished run pays for nothing done.

Bad: the do-nothing arm has 4 of 4.
Good: control violated; asked in every run.
Fix: make the tests red without the change.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.promises import OTHER, inconclusive
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis, Control, ControlState, Outcome


def judge(view: View) -> Answer:
    """Does it hold?"""
    if view.row.control != Control.EMPTY_PATCH_MUST_FAIL:
        return No(OTHER, ("control",))
    if (open_ := inconclusive(view)) is not None:
        return open_
    if view.one(Axis.OUTCOME) == Outcome.PASS:
        return Said(ControlState.VIOLATED, "expected fail, got pass: the empty patch passed", ("grade", "patch"))
    return Said(ControlState.HELD, "the empty patch did not pass", ("grade",))


RULE = Rule(
    Entry("LB503", "control-empty-patch-must-fail", "0.1.0", "label controls", __doc__ or ""),
    Axis.CONTROL,
    judge,
    "the opposite verdict",
)
