"""The runner was called wrongly: an unknown flag, a missing file, a broken root hook.

Why it matters: an image without a plugin makes every row red for every arm.

Bad: "unrecognized arguments: -n" is a failed task.
Good: unscoreable HARNESS, reason grader_error; the model's when the agent removed or broke the file.
Fix: install the plugin in the image; run the reference patch before the run.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.runners import ended_as, patch_or_grader
from denominator.labels.shape import ENDING, Answer, Rule, View
from denominator.records.words import RunnerEnding


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    return ended_as(view, RunnerEnding.USAGE_ERROR) or patch_or_grader(
        view, "the runner could not be used as it was called"
    )


RULE = Rule(
    Entry("LB145", "runner-not-usable", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "a file of the tests that the agent removed or broke",
)
