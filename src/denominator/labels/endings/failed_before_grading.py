"""Something failed in the set-up or in the agent's phase, and nothing recovered from it.

Why it matters: what comes later is a consequence: a dead sandbox refuses connections, and only its death is the
cause.

Bad: the last line of the log says "connection refused", and that becomes the reason.
Good: the earliest event that nothing recovered from decides, by the cause table.
Fix: see the event of the evidence; the seal says whether its cause may be run again.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.results import by_cause
from denominator.labels.shape import ENDING, Answer, No, Rule, View
from denominator.labels.verdicts import verdict_of
from denominator.records.words import Grade


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    if not facts.failed_before_grading(view.row):
        return No("nothing failed without recovery before the grading", ("first_unrecovered",))
    if verdict_of(view) == Grade.GREEN:
        return No("the source saw the tests green after it", ("grade",))
    return by_cause(view)


RULE = Rule(
    Entry("LB131", "failed-before-grading", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "a verdict, or a recovery from the failure",
)
