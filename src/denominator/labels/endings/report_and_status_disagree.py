"""Report and exit status say opposite things.

Why it matters: a pipe, a wrapper or a hook swallows the status; one of the two is wrong, and nobody knows which.

Bad: "1 failed of 1007" and status 0, for every arm: a pass.
Good: no verdict: HARNESS grader_error. When the agent changed what judges it, made-its-own-verdict has answered
before.
Fix: set pipefail in the verify command; reject commands with a pipe at the top level when the pack is locked.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.results import unscoreable
from denominator.labels.shape import ENDING, Answer, No, Rule, View


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    row = view.row
    if not facts.contradicted(row):
        return No("report, status and grade do not contradict each other", ("runner_ending", "grade", "verify_exit"))
    why = "report and exit status say opposite things, so neither is a verdict"
    return unscoreable("HARNESS", "grader_error", why, "runner_ending", "grade", "verify_exit", "test_counts")


RULE = Rule(
    Entry("LB150", "report-and-status-disagree", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "a status that agrees with the report",
)
