"""The agent ended with an error status of its own.

Why it matters: a crash of the agent's program is worth knowing beside the verdict.

Bad: the status decides the exit.
Good: tag agent_error_exit, the verdict stands.
Fix: read the agent's log.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis


def judge(view: View) -> Answer:
    """Does it hold?"""
    if isinstance(view.row.agent_exit, int) and view.row.agent_exit > 0:
        return Said("agent_error_exit", "the agent's own status is an error", ("agent_exit",))
    return No("it does not hold", ("agent_exit",))


RULE = Rule(
    Entry("LB422", "tag-agent-error-exit", "0.1.0", "label tags", __doc__ or ""),
    Axis.TAG,
    judge,
    "",
)
