"""Green, and every clause of a pass holds: the only way to a pass from facts.

Why it matters: whatever is missing from a proof makes it no proof; a pass that is presumed is how a broken grader
publishes 100 %.

Bad: exit status 0 alone counts as a pass, although the runner collected nothing.
Good: every expected id passed and no other, sentinels failed as they must, nothing outside the allow-list.
Fix: nothing to fix.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.shape import ENDING, Answer, Ending, No, Rule, View
from denominator.records.words import Grade


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    if facts.grade_of(view.row) != Grade.GREEN:
        return No("no verifier says green", ("grade", "runner_ending"))
    return Ending("pass", "MODEL", "every clause of a pass holds", ("grade", "patch", "tests"))


RULE = Rule(
    Entry("LB126", "every-clause-holds", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "a touched path outside the allow-list, an unexpected or missing test id, a canary token, an invented surface",
)
