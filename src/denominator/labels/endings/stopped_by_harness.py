"""The harness itself stopped the attempt.

Why it matters: an operator's stop or a shutdown is no answer of the agent.

Bad: the run was interrupted, and the open attempts became failures.
Good: unscoreable HARNESS, reason harness_killed.
Fix: resume the run.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.results import unscoreable
from denominator.labels.shape import ENDING, Answer, No, Rule, View
from denominator.records.words import KilledBy


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    if facts.text(view.row.killed_by) == KilledBy.HARNESS_STOP:
        return unscoreable("HARNESS", "harness_killed", "the harness stopped it", "killed_by")
    return No("the harness did not stop it", ("killed_by",))


RULE = Rule(
    Entry("LB137", "stopped-by-harness", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "another sender of the signal",
)
