"""A failure ended the agent before it had changed anything.

Why it matters: the tests then judged the untouched tree; the red is the task's starting point and says nothing about
the agent.

Bad: the provider answered 429 until the agent gave up, there is no patch, and the row is a model failure.
Good: unscoreable INFRA, reason provider_rate_limit; the row stays in the table and in the censor rate.
Fix: see the event of the evidence; the seal says whether its cause may be run again.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.results import by_cause
from denominator.labels.shape import ENDING, Answer, No, Rule, View


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    row = view.row
    if not facts.empty_patch(row):
        return No("it is not known that nothing was changed", ("patch",))
    if not facts.failed_before_grading(row):
        return No("nothing failed without recovery before the grading", ("first_unrecovered",))
    return by_cause(view)


RULE = Rule(
    Entry("LB105", "failed-before-any-change", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "a change in the tree, which would make the verdict on it count, or a recovery from the failure",
)
