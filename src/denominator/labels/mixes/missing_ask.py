"""A required file or credential was absent, and the agent neither asked nor abstained.

Why it matters: a lucky guess is the most expensive kind of green.

Bad: it guessed, the suite is green, and the guess is a pass.
Good: bucket MISSING_ASK, also when the tests are green; a control that waits for the question names it too.
Fix: give the agent a tool to ask or abort, and count that as success where the file is absent.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.buckets import after, counts_here
from denominator.labels.shape import Answer, No, Rule, Said, View, source_says
from denominator.records.words import Axis, Control, Mix, Outcome

FIELDS = ("required_missing", "asked", "abstained")


def judge(view: View) -> Answer:
    """Does it hold?"""
    row = view.row
    if not counts_here(view, Outcome.FAIL, Outcome.ABSTAIN) and not on_control(view):
        return No("the row is none of these exits of the solvable slice, and no control that waits for a question")
    if facts.guessed(row):
        return Said(
            Mix.MISSING_ASK,
            "a required file was absent and nobody asked",
            FIELDS,
            *after(view, loops=True, surfaces=True),
        )
    if not row.required_missing and source_says(view, Mix.MISSING_ASK) and not facts.used_channel(row):
        return Said(Mix.MISSING_ASK, "the source says so", ("imported.mix",), "low")
    return No("no required file was absent, or the agent asked", FIELDS)


def on_control(view: View) -> bool:
    """A failed control that waits for the question: its guess is named, and is in no share."""
    return view.row.control == Control.MUST_ASK and view.one(Axis.OUTCOME) == Outcome.FAIL


RULE = Rule(
    Entry("LB306", "mix-missing-ask", "0.1.0", "label mixes", __doc__ or ""),
    Axis.MIX,
    judge,
    "a question, an abstain, or the file",
)
