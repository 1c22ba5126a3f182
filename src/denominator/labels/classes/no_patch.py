"""Nothing was changed, or what the agent wrote as a diff fits no tree.

Why it matters: a crash before the first edit is no wrong solution.

Bad: class test_fail on an empty patch.
Good: class no_patch.
Fix: read the agent's log.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis, FailureClass, Outcome


def judge(view: View) -> Answer:
    """Does it hold?"""
    row = view.row
    if view.one(Axis.OUTCOME) != Outcome.FAIL:
        return No("the row is no fail")
    if facts.empty_patch(row) or (facts.apply_failed(row) and facts.text(row.patch_made_by) == "agent_text"):
        return Said(FailureClass.NO_PATCH, "nothing of the agent reached the tree", ("patch", "apply_exit"))
    return No("it is not known that nothing was changed", ("patch", "apply_exit"))


RULE = Rule(
    Entry("LB206", "class-no-patch", "0.1.0", "label classes", __doc__ or ""),
    Axis.FAILURE_CLASS,
    judge,
    "a change that reached the tree",
)
