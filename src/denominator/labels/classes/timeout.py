"""Its own declared budget was spent.

Why it matters: an agent that never finishes and one that finishes wrongly have the same rate and nothing else in
common.

Bad: a pause of the provider counted as the agent's timeout.
Good: class timeout only for a budget of its own.
Fix: raise one budget for all arms and record it.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis, FailureClass, Outcome


def judge(view: View) -> Answer:
    """Does it hold?"""
    if view.one(Axis.OUTCOME) == Outcome.FAIL and facts.timed_out(view.row):
        return Said(FailureClass.TIMEOUT, "its own budget was spent", ("killed_by", "stop_reason", "after_cap"))
    return No("no budget of its own was spent, or the row is no fail", ("killed_by", "stop_reason", "after_cap"))


RULE = Rule(
    Entry("LB205", "class-timeout", "0.1.0", "label classes", __doc__ or ""),
    Axis.FAILURE_CLASS,
    judge,
    "a budget that was not reached",
)
