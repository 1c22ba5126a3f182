"""The agent wrote its change as the text of a diff, and that text does not fit the tree.

Why it matters: a diff written by hand with a wrong hunk is the agent's own mistake; the only loss in applying that
is.

Bad: every failed application counts as infrastructure, and an agent that cannot write a diff looks better than it is.
Good: outcome fail, origin MODEL, class no_patch, tag malformed_patch.
Fix: take patches from trees that the harness owns; then this cannot happen.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.results import fail
from denominator.labels.shape import ENDING, Answer, No, Rule, View


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    row = view.row
    if facts.text(row.patch_made_by) != "agent_text":
        return No("the agent did not write the text of the diff itself", ("patch_made_by",))
    if not facts.apply_failed(row):
        return No("nothing says that it could not be applied", ("apply_exit",))
    if facts.failed_before_grading(row) and not facts.has_verdict(row):
        return No("something had ended the attempt before", ("first_unrecovered",))
    return fail("the diff that the agent wrote does not fit the tree", "patch_made_by", "apply_exit")


RULE = Rule(
    Entry("LB107", "agents-diff-does-not-apply", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "a patch that the harness took from the trees, or a diff that applies",
)
