"""No earlier bucket holds: an ordinary failure, or an abstain that nobody expected.

Why it matters: it is what is left when nothing else explains a row, so every other bucket must be asked first.

Bad: a broken grader's zeros are in this bucket.
Good: only rows of the model's; green rows that are no pass are here with the tag scorer_green.
Fix: read the failing tests; changing the model first is the wrong move.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.buckets import after, counts_here
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis, Mix, Outcome


def judge(view: View) -> Answer:
    """Does it hold?"""
    if not counts_here(view, Outcome.FAIL, Outcome.ABSTAIN):
        return No("the row is none of these exits of the solvable slice")
    return Said(Mix.SCORER_RED, "no earlier bucket holds", ("grade",), *after(view, loops=True, surfaces=True))


RULE = Rule(
    Entry("LB308", "mix-scorer-red", "0.1.0", "label mixes", __doc__ or ""),
    Axis.MIX,
    judge,
    "an earlier bucket that holds",
)
