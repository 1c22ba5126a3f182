"""A path outside the allow-list was touched, whatever the primary bucket is.

Why it matters: the slip of a row that also timed out would be lost.

Bad: only the first bucket is counted.
Good: bucket TIMEOUT, tag scope_slip.
Fix: enforce the allow-list in the runner.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis


def judge(view: View) -> Answer:
    """Does it hold?"""
    if facts.slipped(view.row):
        return Said(
            "scope_slip",
            "a path outside the allow-list was touched",
            (
                "patch.outside",
                "patch.forbidden",
            ),
        )
    return No(
        "it does not hold",
        (
            "patch.outside",
            "patch.forbidden",
        ),
    )


RULE = Rule(
    Entry("LB408", "tag-scope-slip", "0.1.0", "label tags", __doc__ or ""),
    Axis.TAG,
    judge,
    "",
)
