"""Graded in a tree that another job had left behind, and a clean tree says the opposite.

Why it matters: stale bytecode or a half-written cache makes right patches red and wrong ones green.

Bad: the red stands because it came first; or it is quietly replaced by the green of the second grading.
Good: unscoreable INFRA, reason contaminated_workspace; a new attempt only where the seal allows one.
Fix: grade in a fresh tree with an empty bytecode folder of its own, every time.
"""

from __future__ import annotations

from dataclasses import replace

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.results import unscoreable
from denominator.labels.shape import ENDING, Answer, No, Rule, View
from denominator.records.words import Grade


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    row, grade, again = view.row, facts.grade_of(view.row), facts.text(view.row.regraded)
    if {grade, again} != {Grade.GREEN, Grade.RED}:
        return No("no second grading in a clean tree says the opposite", ("grade", "regraded"))
    if row.workspace_reused is False:
        return No("the first grading had a tree of its own, so the patch itself may waver", ("workspace_reused",))
    fields = ("grade", "regraded", "workspace_reused")
    why = f"{grade} in the tree of the run, {again} for the same patch in a clean one"
    found = unscoreable("INFRA", "contaminated_workspace", why, *fields)
    return found if row.workspace_reused is True else replace(found, confidence="medium")


RULE = Rule(
    Entry("LB114", "contaminated-workspace", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "the same grade in a clean tree",
)
