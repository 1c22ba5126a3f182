"""Green tests, and yet no pass.

Why it matters: a reader who sees green and no pass must learn which clause is broken.

Bad: the green row is a pass after all.
Good: outcome fail, tag scorer_green.
Fix: read the outcome's reason.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis, Grade, Outcome


def judge(view: View) -> Answer:
    """Does it hold?"""
    if facts.grade_of(view.row) == Grade.GREEN and view.one(Axis.OUTCOME) != Outcome.PASS:
        return Said("scorer_green", "the tests are green and the row is no pass", ("grade",))
    return No("it does not hold", ("grade",))


RULE = Rule(
    Entry("LB407", "tag-scorer-green", "0.1.0", "label tags", __doc__ or ""),
    Axis.TAG,
    judge,
    "",
)
