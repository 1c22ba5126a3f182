"""A call, a path or a type is used that nobody defines: no spec, no repository, no patch, no library.

Why it matters: a surface that was made up works against a mock and nowhere else.

Bad: a helper that the patch itself defines counts as invented.
Good: what is called, minus spec, own definitions, language and declared libraries, with path templates matched.
Fix: give the spec to the agent and fail closed on what is not in it.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.buckets import after, counts_here
from denominator.labels.shape import Answer, No, Rule, Said, View, source_says
from denominator.records.words import Axis, Mix, Outcome


def judge(view: View) -> Answer:
    """Does it hold?"""
    if not counts_here(view, Outcome.FAIL, Outcome.ABSTAIN):
        return No("the row is none of these exits of the solvable slice")
    if facts.invented(view.row):
        return Said(
            Mix.ASSUME_API, "a surface is used that nobody defines", ("surfaces.invented",), *after(view, loops=True)
        )
    if facts.surfaces_judged(view.row):
        return No("every surface that is used is defined", ("surfaces",))
    if source_says(view, Mix.ASSUME_API):
        return Said(Mix.ASSUME_API, "the source says so", ("imported.mix", "imported.tag"), "low")
    return No("not evaluated: not every surface was held against what is defined", ("surfaces", "surfaces.unchecked"))


RULE = Rule(
    Entry("LB305", "mix-assume-api", "0.1.0", "label mixes", __doc__ or ""),
    Axis.MIX,
    judge,
    "a definition of the surface in the spec, the repository or the patch",
)
