"""The patch was in the tree already when it was to be applied.

Why it matters: an effect that is performed twice means that the journal and the tree have parted ways; what is graded
then is not known.

Bad: the second application fails, and the failure is written down as a bad patch of the agent.
Good: unscoreable HARNESS, reason apply_error; nothing was applied a second time.
Fix: find out why the step ran again: a resumed step must find its own effect and go on.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.results import unscoreable
from denominator.labels.shape import ENDING, Answer, No, Rule, View


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    row = view.row
    if row.already_applied is not True:
        return No("the patch was not in the tree before", ("already_applied",))
    if facts.spent_budget(row) or (facts.failed_before_grading(row) and not facts.has_verdict(row)):
        return No("something had ended the attempt before", ("killed_by", "stop_reason", "first_unrecovered"))
    return unscoreable("HARNESS", "apply_error", "the tree already held the patch", "already_applied", "apply_exit")


RULE = Rule(
    Entry("LB106", "applied-twice", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "a tree that did not hold the patch",
)
