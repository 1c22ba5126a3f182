"""The reference patch was green when the pack was locked and is red every time now.

Why it matters: a date in a fixture ages out; from that day on no agent can pass, and every later run looks worse than
every earlier one.

Bad: three red gold runs are called flaky, or the agent is blamed for the calendar.
Good: unscoreable HARNESS, reason pack_expired, for every arm alike.
Fix: pin the clock of the tests or give the task an expiry date, and lock a new version of the pack.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.results import unscoreable
from denominator.labels.shape import ENDING, Answer, No, Rule, View
from denominator.labels.verdicts import verdict_of


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    if not verdict_of(view):
        return No("no verdict came into being", ("grade",))
    if view.row.key.task_id not in view.terms.expired_tasks:
        return No("the terms do not name this task as expired")
    return unscoreable("HARNESS", "pack_expired", "the gold patch was green at the lock and is red now", "grade")


RULE = Rule(
    Entry("LB112", "pack-expired", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "a green reference patch at the start of the run",
)
