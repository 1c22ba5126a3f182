"""A required file was absent and nobody asked.

Why it matters: a guess that fails looks like any other failure.

Bad: only green guesses are noticed.
Good: tag guessed, beside every exit.
Fix: give the agent a way to ask.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis


def judge(view: View) -> Answer:
    """Does it hold?"""
    if facts.guessed(view.row):
        return Said(
            "guessed",
            "a required file was absent and nobody asked",
            (
                "required_missing",
                "asked",
            ),
        )
    return No(
        "it does not hold",
        (
            "required_missing",
            "asked",
        ),
    )


RULE = Rule(
    Entry("LB412", "tag-guessed", "0.1.0", "label tags", __doc__ or ""),
    Axis.TAG,
    judge,
    "",
)
