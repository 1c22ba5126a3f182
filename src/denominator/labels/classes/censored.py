"""Not the model's ending, and the reason is known.

Why it matters: a row that somebody else ended is no failure of the agent, and it must not vanish either.

Bad: a crash of the harness in class test_fail.
Good: class censored, with the reason beside it; allowed under the ceilings.
Fix: see the reason.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis, FailureClass, Outcome


def judge(view: View) -> Answer:
    """Does it hold?"""
    if view.one(Axis.OUTCOME) == Outcome.UNSCOREABLE and view.one(Axis.REASON):
        return Said(FailureClass.CENSORED, f"unscoreable: {view.one(Axis.REASON)}", ("grade", "first_unrecovered"))
    return No("the row is scoreable, or no reason is known")


RULE = Rule(
    Entry("LB209", "class-censored", "0.1.0", "label classes", __doc__ or ""),
    Axis.FAILURE_CLASS,
    judge,
    "a verdict",
)
