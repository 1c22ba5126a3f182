"""The provider or the model refused the content, and nothing recovered from it.

Why it matters: a refusal is an answer of the model's; it is neither weather nor a wrong patch.

Bad: it is filed under provider errors.
Good: outcome fail, tag refusal.
Fix: read the prompt.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis


def judge(view: View) -> Answer:
    """Does it hold?"""
    if facts.failure_cause(view.row) == "content_refused":
        return Said("refusal", "the content was refused", ("first_unrecovered",))
    return No("it does not hold", ("first_unrecovered",))


RULE = Rule(
    Entry("LB421", "tag-refusal", "0.1.0", "label tags", __doc__ or ""),
    Axis.TAG,
    judge,
    "",
)
