"""The report gives itself the lie.

Why it matters: one forged report puts every other report of the run in doubt.

Bad: it is one more failure.
Good: outcome fail, tag tampered.
Fix: read the patch.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis, Grade


def judge(view: View) -> Answer:
    """Does it hold?"""
    if view.row.grade == Grade.TAMPERED:
        return Said(
            "tampered",
            "the report contradicts itself",
            (
                "grade",
                "gave_away",
                "sentinels",
            ),
        )
    return No(
        "it does not hold",
        (
            "grade",
            "sentinels",
        ),
    )


RULE = Rule(
    Entry("LB403", "tag-tampered", "0.1.0", "label tags", __doc__ or ""),
    Axis.TAG,
    judge,
    "",
)
