"""The verifier failed too, after something else had decided the row.

Why it matters: two things went wrong, and a row has one exit.

Bad: the row is counted as a timeout and as a grader error.
Good: outcome fail, class timeout, tag verifier_error.
Fix: see the event.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis, Outcome, Phase


def judge(view: View) -> Answer:
    """Does it hold?"""
    failure = view.row.first_unrecovered
    in_verifier = failure is not None and failure.phase not in (*facts.BEFORE_GRADING, Phase.APPLY)
    if view.one(Axis.OUTCOME) == Outcome.FAIL and in_verifier:
        return Said("verifier_error", "the verifier failed after an earlier ending", ("first_unrecovered",))
    return No("it does not hold", ("first_unrecovered",))


RULE = Rule(
    Entry("LB419", "tag-verifier-error", "0.1.0", "label tags", __doc__ or ""),
    Axis.TAG,
    judge,
    "",
)
