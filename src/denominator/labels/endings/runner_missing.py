"""The command that should run the tests is not there or cannot be executed.

Why it matters: status 126 or 127 in the verifier means that nobody looked at the code.

Bad: 127 is non-zero, so the patch is wrong.
Good: unscoreable HARNESS, reason grader_error.
Fix: put the command in the image by its full path.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.runners import ended_as, patch_or_grader
from denominator.labels.shape import ENDING, Answer, Rule, View
from denominator.records.words import RunnerEnding


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    return ended_as(view, RunnerEnding.COMMAND_MISSING) or patch_or_grader(
        view, "the command of the tests could not be started"
    )


RULE = Rule(
    Entry("LB146", "runner-missing", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "a command that starts, or one that the patch removed",
)
