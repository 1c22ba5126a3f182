"""The class that the source of a foreign row gives to a fail, where no facts say more.

Why it matters: ledgers of failure classes keep the class and drop the facts; it is all there is to count.

Bad: the class of the source outranks a touched path that the row records.
Good: low confidence, and only on a fail without a verdict of a grader.
Fix: import the facts: the grade, the patch, the stage of the grading.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis, FailureClass, Outcome

TAKEN = (FailureClass.COMPILE_FAIL, FailureClass.TEST_FAIL, FailureClass.TIMEOUT, FailureClass.OVER_EDIT)


def judge(view: View) -> Answer:
    """Does it hold?"""
    label = view.imported.get(Axis.FAILURE_CLASS)
    if view.one(Axis.OUTCOME) != Outcome.FAIL or label is None or label.value not in TAKEN:
        return No("the row is no fail, or the source names no class")
    if facts.has_verdict(view.row):
        return No("a grader has judged the row", ("grade",))
    return Said(label.value, f"{label.by} says so", ("imported.failure_class",), "low")


RULE = Rule(
    Entry("LB202", "class-of-source", "0.1.0", "label classes", __doc__ or ""),
    Axis.FAILURE_CLASS,
    judge,
    "facts on the row",
)
