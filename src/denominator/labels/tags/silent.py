"""Abstained without a word: a clean end with an empty patch.

Why it matters: silence and a question are both abstains and call for different repairs.

Bad: all abstains are counted as questions.
Good: tag silent, and the rate per slice beside the asked ones.
Fix: see whether the prompt says how to say no.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis, Outcome


def judge(view: View) -> Answer:
    """Does it hold?"""
    if view.one(Axis.OUTCOME) == Outcome.ABSTAIN and not facts.used_channel(view.row):
        return Said(
            "silent",
            "it ended without a word and without a change",
            (
                "patch",
                "asked",
            ),
        )
    return No(
        "it does not hold",
        (
            "patch",
            "asked",
        ),
    )


RULE = Rule(
    Entry("LB402", "tag-silent", "0.1.0", "label tags", __doc__ or ""),
    Axis.TAG,
    judge,
    "",
)
