"""The solution ended or hung the process that was grading it.

Why it matters: code that calls exit in the middle of a test must not be excused as infrastructure; otherwise crashing
pays.

Bad: the runner died after collecting, and the row is a grader error.
Good: outcome fail, origin MODEL: the runner had begun, and the baseline shows that it works.
Fix: nothing to fix; the stage of the grading is the evidence.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.results import fail
from denominator.labels.shape import ENDING, Answer, No, Rule, View


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    if facts.text(view.row.grade_stage) not in facts.AFTER_HELLO or not facts.baseline_is_healthy(view.row):
        return No("the runner had not begun, or is not known to work with the agent off", ("grade_stage",))
    if facts.not_measured(view.row.runner_ending) or facts.is_own(view.row):
        why = "the solution ended or hung its own grading after the runner had begun"
        return fail(why, "grade_stage", "grade")
    return No("the ending of the runner says more", ("runner_ending",))


RULE = Rule(
    Entry("LB138", "solution-ended-its-grading", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "a runner that had not begun, or that ends so with the agent off too",
)
