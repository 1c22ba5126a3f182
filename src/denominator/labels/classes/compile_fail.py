"""The tests could not be collected or the code did not build, and that is the patch's doing.

Why it matters: code that does not load and code that is wrong are found by different means.

Bad: every collection error is a test_fail.
Good: class compile_fail.
Fix: let the agent build before it ends.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis, FailureClass, Outcome, RunnerEnding

NOT_LOADED = (RunnerEnding.COLLECTION_ERROR, RunnerEnding.BUILD_FAILED)


def judge(view: View) -> Answer:
    """Does it hold?"""
    if view.one(Axis.OUTCOME) != Outcome.FAIL:
        return No("the row is no fail")
    if facts.text(view.row.grade_stage) == "runner_started" or facts.text(view.row.runner_ending) in NOT_LOADED:
        return Said(FailureClass.COMPILE_FAIL, "the tests could not be collected", ("grade_stage", "runner_ending"))
    return No("the tests were collected, as far as is known", ("grade_stage", "runner_ending"))


RULE = Rule(
    Entry("LB207", "class-compile-fail", "0.1.0", "label classes", __doc__ or ""),
    Axis.FAILURE_CLASS,
    judge,
    "tests that were collected",
)
