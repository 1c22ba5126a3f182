"""The wall clock ran out while the provider had paused the account.

Why it matters: budgets are budgets of working time; a pause of 40 minutes is not the agent's thinking.

Bad: 2618 of 2700 seconds were a pause, and the row is a timeout of the agent.
Good: unscoreable INFRA, reason provider_pause; wall and working time stand on the row.
Fix: cap working time and wall time apart; ask for another rate limit.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.results import unscoreable
from denominator.labels.shape import ENDING, Answer, No, Rule, View


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    row = view.row
    if not facts.on_the_wall_clock(row):
        return No("no limit on wall time ended it", ("killed_by", "stop_reason"))
    if not facts.paused_longer_than_worked(row):
        return No("pauses did not take more of the clock than the agent did", ("paused_ms", "working_ms"))
    why = "the provider's pauses took more of the wall clock than the agent did"
    return unscoreable("INFRA", "provider_pause", why, "killed_by", "paused_ms", "working_ms")


RULE = Rule(
    Entry("LB134", "provider-pause", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "more working time than pauses",
)
