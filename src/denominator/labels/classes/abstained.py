"""The agent said no, or said nothing and changed nothing: class no_patch.

Why it matters: an agent that does nothing and one that does the wrong thing need opposite repairs.

Bad: an abstain counted as test_fail.
Good: class no_patch; whether it asked is in the tags.
Fix: if every task ends so, look whether the agent can write to the workspace.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis, FailureClass, Outcome


def judge(view: View) -> Answer:
    """Does it hold?"""
    if view.one(Axis.OUTCOME) == Outcome.ABSTAIN:
        return Said(FailureClass.NO_PATCH, "asked, abstained or left the tree alone", ("patch", "asked"))
    return No("the outcome is no abstain")


RULE = Rule(
    Entry("LB203", "class-abstained", "0.1.0", "label classes", __doc__ or ""),
    Axis.FAILURE_CLASS,
    judge,
    "a patch",
)
