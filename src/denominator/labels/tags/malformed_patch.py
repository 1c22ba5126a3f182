"""The agent wrote its change as the text of a diff that fits no tree.

Why it matters: it is the agent's mistake, and none of the harness's losses.

Bad: it raises the harness's apply error rate.
Good: outcome fail, tag malformed_patch.
Fix: take patches from trees.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis


def judge(view: View) -> Answer:
    """Does it hold?"""
    if facts.apply_failed(view.row) and facts.text(view.row.patch_made_by) == "agent_text":
        return Said(
            "malformed_patch",
            "the diff that the agent wrote could not be applied",
            (
                "apply_exit",
                "patch_made_by",
            ),
        )
    return No(
        "it does not hold",
        (
            "apply_exit",
            "patch_made_by",
        ),
    )


RULE = Rule(
    Entry("LB418", "tag-malformed-patch", "0.1.0", "label tags", __doc__ or ""),
    Axis.TAG,
    judge,
    "",
)
