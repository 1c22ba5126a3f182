"""No test came to a result: none was found, or all were skipped or expected to fail.

Why it matters: status 0 with nothing run is the oldest false pass.

Bad: "Ran 0 tests, OK" counts as a pass.
Good: never a pass: HARNESS grader_error, or the model's when the agent removed the tests.
Fix: state the expected ids in the pack, so that silence is noticed.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.runners import ended_as, patch_or_grader
from denominator.labels.shape import ENDING, Answer, Rule, View
from denominator.records.words import RunnerEnding


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    return ended_as(
        view, RunnerEnding.NOTHING_RAN, RunnerEnding.ALL_SKIPPED, RunnerEnding.ALL_XFAILED
    ) or patch_or_grader(view, "no test came to a result")


RULE = Rule(
    Entry("LB147", "nothing-was-tested", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "tests that the agent removed, or every expected test reported as passed",
)
