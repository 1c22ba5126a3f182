"""The agent was never started, so nothing that was graded is its work.

Why it matters: a set-up that dies before the first prompt leaves the untouched tree behind, and its tests are red as
they must be.

Bad: the image could not be pulled, the verifier ran on the empty folder, and the row is one more failure of the
agent.
Good: unscoreable, by the cause of what stopped the set-up.
Fix: repair the set-up; the seal says whether its cause may be run again.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.results import by_cause, unscoreable
from denominator.labels.shape import ENDING, Answer, No, Rule, View


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    row = view.row
    if row.agent_started is not False:
        return No("the agent was started, or nobody says that it was not", ("agent_started",))
    if row.first_unrecovered is not None:
        return by_cause(view)
    if facts.has_verdict(row):
        why = "the agent was never started, so the tests judged the untouched tree; no event explains why"
        return unscoreable("HARNESS", "", why, "agent_started", "grade")
    return No("the agent was never started, and no event explains why", ("agent_started", "first_unrecovered"))


RULE = Rule(
    Entry("LB104", "agent-never-started", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "an event that shows that the agent was started",
)
