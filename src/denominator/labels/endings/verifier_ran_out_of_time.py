"""The verifier's own deadline passed before any test had begun.

Why it matters: a grader that is still installing has judged nobody.

Bad: reward absent, outcome fail.
Good: unscoreable HARNESS, reason harness_timeout.
Fix: install what the verifier needs when the image is built.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.results import unscoreable
from denominator.labels.shape import ENDING, Answer, No, Rule, View
from denominator.records.words import KilledBy, RunnerEnding


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    if facts.text(view.row.killed_by) != KilledBy.VERIFY_TIMEOUT:
        return No("the verifier's deadline did not end it", ("killed_by",))
    if facts.text(view.row.runner_ending) == RunnerEnding.TEST_TIMEOUT:
        return No("a test hung, not the verifier", ("runner_ending",))
    why = "the verifier's deadline passed before a test had begun"
    return unscoreable("HARNESS", "harness_timeout", why, "killed_by", "grade_stage")


RULE = Rule(
    Entry("LB139", "verifier-ran-out-of-time", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "a test that had begun when the deadline passed",
)
