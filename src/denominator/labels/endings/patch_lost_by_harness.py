"""A change that the agent made could not be applied to the tree that is graded.

Why it matters: a lost last newline or rewritten line endings destroy a good patch on its way; the agent has no part
in it.

Bad: the verifier ran without the patch, red, and the row is a model failure.
Good: unscoreable HARNESS, reason apply_error, counted in patch_apply_fail_rate.
Fix: store and carry patches as exact bytes; compare the tree after applying with the tree that the agent left.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.results import unscoreable
from denominator.labels.shape import ENDING, Answer, No, Rule, View


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    row = view.row
    if not facts.apply_failed(row):
        return No("nothing says that the patch could not be applied", ("apply_exit",))
    if facts.text(row.patch_made_by) == "agent_text":
        return No("the agent wrote the text of the diff itself", ("patch_made_by",))
    if facts.spent_budget(row) or (facts.failed_before_grading(row) and not facts.has_verdict(row)):
        return No("something had ended the attempt before", ("killed_by", "stop_reason", "first_unrecovered"))
    why = "a patch that the agent did not write as text could not be applied"
    return unscoreable("HARNESS", "apply_error", why, "apply_exit", "patch_made_by")


RULE = Rule(
    Entry("LB108", "patch-lost-by-harness", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "a patch that applies, or one whose text the agent wrote itself",
)
