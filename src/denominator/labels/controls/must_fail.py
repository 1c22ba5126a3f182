"""A task that no patch can solve: any pass violates it.

Why it matters: a grader that passes the impossible passes everything.

Bad: the impossible task is green and the table shows "17 of 17".
Good: control violated, no number at all.
Fix: find the weak test, the ignored limit or the wrong label; repair the pack under a new version.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.promises import OTHER, inconclusive
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis, Control, ControlState, Outcome


def judge(view: View) -> Answer:
    """Does it hold?"""
    if view.row.control != Control.MUST_FAIL:
        return No(OTHER, ("control",))
    if (open_ := inconclusive(view)) is not None:
        return open_
    if view.one(Axis.OUTCOME) == Outcome.PASS:
        return Said(ControlState.VIOLATED, "expected fail, got pass: the impossible task passed", ("grade", "patch"))
    return Said(ControlState.HELD, "it did not pass", ("grade",))


RULE = Rule(
    Entry("LB501", "control-must-fail", "0.1.0", "label controls", __doc__ or ""),
    Axis.CONTROL,
    judge,
    "the opposite verdict",
)
