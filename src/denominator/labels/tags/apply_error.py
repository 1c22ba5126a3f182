"""The harness could not apply the patch.

Why it matters: it is the harness's loss, shown apart.

Bad: it is hidden in the failures.
Good: tag apply_error, counted in patch_apply_fail_rate.
Fix: carry patches as exact bytes.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis


def judge(view: View) -> Answer:
    """Does it hold?"""
    row = view.row
    lost = facts.apply_failed(row) and facts.text(row.patch_made_by) != "agent_text"
    if facts.text(row.patch_made_by) == "agent_text":
        return No("the agent wrote the text of the diff itself: malformed_patch", ("patch_made_by",))
    if facts.text(row.stop_reason) == "apply_error" or facts.failure_cause(row) == "apply_error" or lost:
        return Said(
            "apply_error",
            "the patch could not be applied",
            (
                "stop_reason",
                "first_unrecovered",
                "apply_exit",
            ),
        )
    return No(
        "it does not hold",
        (
            "stop_reason",
            "first_unrecovered",
            "apply_exit",
        ),
    )


RULE = Rule(
    Entry("LB417", "tag-apply-error", "0.1.0", "label tags", __doc__ or ""),
    Axis.TAG,
    judge,
    "",
)
