"""The row is a pass.

Why it matters: a class is a second view of the same exits; the two must add up alike.

Bad: class pass on a row that edited a forbidden file.
Good: class pass exactly where the outcome is pass.
Fix: nothing to fix.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis, FailureClass, Outcome


def judge(view: View) -> Answer:
    """Does it hold?"""
    if view.one(Axis.OUTCOME) == Outcome.PASS:
        return Said(FailureClass.PASS, "the outcome is pass", ("grade",))
    return No("the outcome is no pass")


RULE = Rule(
    Entry("LB201", "class-passed", "0.1.0", "label classes", __doc__ or ""),
    Axis.FAILURE_CLASS,
    judge,
    "a clause of a pass that does not hold",
)
