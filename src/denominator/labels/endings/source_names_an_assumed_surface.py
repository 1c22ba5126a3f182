"""Green, but the source of the row says that a surface outside the spec was assumed.

Why it matters: green against a mock of a path that does not exist is no solution.

Bad: the source ticked assumed_api and the row still counts as a pass.
Good: outcome fail with low confidence, bucket ASSUME_API: the source's word, until facts of ours say otherwise.
Fix: bring the frozen spec and the patch: then the surface is judged from facts.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.shape import ENDING, Answer, Ending, No, Rule, View, source_says
from denominator.labels.verdicts import verdict_of
from denominator.records.words import Grade, Mix


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    if verdict_of(view) != Grade.GREEN or not source_says(view, Mix.ASSUME_API):
        return No("the source does not say that a surface was assumed, or the row is not green", ("grade",))
    if facts.surfaces_judged(view.row):
        return No("the surfaces were judged from facts", ("surfaces",))
    why = "green, but the source says that a surface outside the spec was assumed"
    return Ending("fail", "MODEL", why, ("grade", "imported.tag", "imported.mix"), "", "low")


RULE = Rule(
    Entry("LB123", "source-names-an-assumed-surface", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "the surfaces judged from the patch and the frozen spec",
)
