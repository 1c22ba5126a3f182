"""The channel for asking or abstaining was used.

Why it matters: a question is an answer; it must be seen beside the exit.

Bad: the question is lost in a failure.
Good: outcome abstain, tag asked.
Fix: read what it asked for.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis


def judge(view: View) -> Answer:
    """Does it hold?"""
    if facts.used_channel(view.row):
        return Said(
            "asked",
            "the ask or abstain channel was used",
            (
                "asked",
                "abstained",
            ),
        )
    return No(
        "it does not hold",
        (
            "asked",
            "abstained",
        ),
    )


RULE = Rule(
    Entry("LB401", "tag-asked", "0.1.0", "label tags", __doc__ or ""),
    Axis.TAG,
    judge,
    "",
)
