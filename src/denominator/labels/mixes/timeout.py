"""It ended because its own declared budget was spent.

Why it matters: more samples of a task that is too large buy more timeouts.

Bad: a provider's pause is in this bucket.
Good: only budgets that the envelope declares as the agent's own.
Fix: make the task smaller, or raise one budget and record it.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.buckets import counts_here
from denominator.labels.shape import Answer, No, Rule, Said, View, source_says
from denominator.records.words import Axis, Mix, Outcome

FIELDS = ("killed_by", "stop_reason", "after_cap")


def judge(view: View) -> Answer:
    """Does it hold?"""
    if not counts_here(view, Outcome.FAIL, Outcome.ABSTAIN):
        return No("the row is none of these exits of the solvable slice")
    if facts.timed_out(view.row):
        return Said(Mix.TIMEOUT, "its own budget was spent", FIELDS)
    if (
        facts.not_measured(view.row.killed_by)
        and source_says(view, Mix.TIMEOUT)
        and facts.not_measured(view.row.stop_reason)
    ):
        return Said(Mix.TIMEOUT, "the source says so", ("imported.mix",), "low")
    return No("no budget of its own was spent", FIELDS)


RULE = Rule(
    Entry("LB303", "mix-timeout", "0.1.0", "label mixes", __doc__ or ""),
    Axis.MIX,
    judge,
    "an ending by itself before the budget was spent",
)
