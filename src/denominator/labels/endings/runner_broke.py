"""The runner itself broke: an internal error.

Why it matters: a hook that raises has ended the judging, not the judged.

Bad: status 3 is one of many non-zero numbers, so it is a failure.
Good: unscoreable HARNESS, reason grader_error; the model's when a changed file is in the traceback.
Fix: repair the runner or its plugins; keep the traceback in the report.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.runners import ended_as, patch_or_grader
from denominator.labels.shape import ENDING, Answer, Rule, View
from denominator.records.words import RunnerEnding


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    return ended_as(view, RunnerEnding.INTERNAL_ERROR) or patch_or_grader(view, "the runner broke")


RULE = Rule(
    Entry("LB144", "runner-broke", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "a changed file in the traceback",
)
