"""The agent spent its own declared budget, and nothing was graded.

Why it matters: a limit that was declared beforehand is part of the question; running into it is an answer.

Bad: the harness sent the signal at the agent's own deadline, status 137 is read as "out of memory", and the row is
excused.
Good: outcome fail, origin MODEL, class and bucket TIMEOUT: who sent the signal comes before its number.
Fix: raise one budget for all arms and record it, or make the task smaller.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.results import fail
from denominator.labels.shape import ENDING, Answer, No, Rule, View
from denominator.labels.verdicts import verdict_of
from denominator.records.words import Grade


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    if not facts.spent_budget(view.row):
        return No("no budget of its own was spent", ("killed_by", "stop_reason", "paused_ms", "working_ms"))
    if verdict_of(view) == Grade.GREEN:
        return No("the source saw the tests green", ("grade",))
    return fail("its own budget was spent", "killed_by", "stop_reason", "after_cap")


RULE = Rule(
    Entry("LB133", "own-budget", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "another sender of the signal, or pauses of the provider that took more of the clock than the agent did",
)
