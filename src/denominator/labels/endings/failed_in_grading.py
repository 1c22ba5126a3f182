"""The verifier failed, or something whose phase is not known, and there is no verdict.

Why it matters: a grader that could not install its package has judged nobody.

Bad: the reward is absent and is written down as 0.
Good: unscoreable, by the cause of the earliest failure: grader_error, disk_full, harness_timeout.
Fix: repair the verifier; if the reference patch fails the same way, the task is broken for every arm.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.results import by_cause
from denominator.labels.shape import ENDING, Answer, No, Rule, View


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    if facts.failed_before_grading(view.row):
        return No("the failure came before the grading", ("first_unrecovered",))
    return by_cause(view)


RULE = Rule(
    Entry("LB135", "failed-in-grading", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "a verdict, or a recovery from the failure",
)
