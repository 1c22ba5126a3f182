"""It was graded after its own budget was spent.

Why it matters: late work is counted or not as the envelope says; the reader must see how much of it there is.

Bad: late passes are mixed with timely ones.
Good: tag after_cap, whatever the policy is.
Fix: state on_timeout.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis


def judge(view: View) -> Answer:
    """Does it hold?"""
    if view.row.after_cap is True:
        return Said("after_cap", "graded after its cap", ("after_cap",))
    return No("it does not hold", ("after_cap",))


RULE = Rule(
    Entry("LB416", "tag-after-cap", "0.1.0", "label tags", __doc__ or ""),
    Axis.TAG,
    judge,
    "",
)
