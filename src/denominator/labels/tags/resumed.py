"""The attempt was started again after the runner had died.

Why it matters: tokens of a dead start are replay cost.

Bad: the resumed attempt counts as two.
Good: one row, tag resumed.
Fix: nothing to fix.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis


def judge(view: View) -> Answer:
    """Does it hold?"""
    if view.row.incarnations > 1:
        return Said("resumed", "it was started more than once", ("incarnations",))
    return No("it does not hold", ("incarnations",))


RULE = Rule(
    Entry("LB424", "tag-resumed", "0.1.0", "label tags", __doc__ or ""),
    Axis.TAG,
    judge,
    "",
)
