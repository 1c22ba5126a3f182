"""A test ran into its deadline: the code under test hangs.

Why it matters: an endless loop is a property of the patch; a clock that excuses it rewards it.

Bad: the hanging suite is called infrastructure and run again.
Good: outcome fail, origin MODEL: the tests come to an end with the agent off.
Fix: give every test a deadline of its own, so that the report names the one that hangs.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.results import fail, unscoreable
from denominator.labels.runners import LOOKED_AT, ended_as
from denominator.labels.shape import ENDING, Answer, Rule, View
from denominator.records.words import RunnerEnding


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    if (no := ended_as(view, RunnerEnding.TEST_TIMEOUT)) is not None:
        return no
    if view.row.baseline_collects is False:
        return unscoreable(
            "HARNESS", "grader_error", "a test hung, and the tests do not run with the agent off either", *LOOKED_AT
        )
    return fail("a test hung until its deadline", "runner_ending", "killed_by")


RULE = Rule(
    Entry("LB140", "test-hung", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "tests that also hang with the agent off",
)
