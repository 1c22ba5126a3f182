"""Graded and not a pass, and no other class holds.

Why it matters: it is the class of ordinary wrong solutions; every other class must be asked first.

Bad: everything that is not a pass is a test_fail.
Good: class test_fail after over_edit, timeout, no_patch and compile_fail were asked.
Fix: read the failing tests.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis, FailureClass, Outcome


def judge(view: View) -> Answer:
    """Does it hold?"""
    if view.one(Axis.OUTCOME) == Outcome.FAIL:
        return Said(FailureClass.TEST_FAIL, "graded and not a pass", ("grade", "grade_stage", "runner_ending"))
    return No("the row is no fail")


RULE = Rule(
    Entry("LB208", "class-test-fail", "0.1.0", "label classes", __doc__ or ""),
    Axis.FAILURE_CLASS,
    judge,
    "another class that holds",
)
