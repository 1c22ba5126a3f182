"""The tree had been used by another job before.

Why it matters: what an earlier job leaves behind can make any verdict.

Bad: nobody knows, and the verdict counts like any other.
Good: tag workspace_reused, and a second grading in a clean tree.
Fix: give every attempt a tree of its own.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis


def judge(view: View) -> Answer:
    """Does it hold?"""
    if view.row.workspace_reused is True:
        return Said(
            "workspace_reused",
            "the tree had been used before",
            (
                "workspace_reused",
                "regraded",
            ),
        )
    return No(
        "it does not hold",
        (
            "workspace_reused",
            "regraded",
        ),
    )


RULE = Rule(
    Entry("LB427", "tag-workspace-reused", "0.1.0", "label tags", __doc__ or ""),
    Axis.TAG,
    judge,
    "",
)
