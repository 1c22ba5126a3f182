"""Tests ended in errors of their set-up, none in a failed assertion.

Why it matters: a fixture that finds a full disk says nothing about the code; three errors and no failure are no
verdict.

Bad: exit status 1 means a wrong patch.
Good: no verdict: the earliest failure decides, or HARNESS grader_error; the model's when the errors point at the
patch.
Fix: look at the first error; sample free space and limits when it happens.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.runners import ended_as, patch_or_grader
from denominator.labels.shape import ENDING, Answer, Rule, View
from denominator.records.words import RunnerEnding


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    return ended_as(view, RunnerEnding.ERRORS_ONLY) or patch_or_grader(view, "no assertion failed, only set-ups broke")


RULE = Rule(
    Entry("LB143", "only-errors", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "an assertion that failed, or errors that point at a file of the patch",
)
