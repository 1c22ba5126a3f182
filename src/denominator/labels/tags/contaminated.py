"""The agent read the answer, or its patch holds a token that no correct patch contains.

Why it matters: a pass from a leaked answer measures the leak.

Bad: 21 of 100 tasks had the fix in the history, and 17 of them passed.
Good: outcome fail, tag contaminated, the place is quoted.
Fix: remove newer commits, temporary files and hidden tests from the image; lock a new version.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis


def judge(view: View) -> Answer:
    """Does it hold?"""
    if view.row.leaks_read or view.row.canary_hits:
        return Said(
            "contaminated",
            "places that hold the answer were read, or a token was found",
            (
                "leaks_read",
                "canary_hits",
            ),
        )
    return No(
        "it does not hold",
        (
            "leaks_read",
            "canary_hits",
        ),
    )


RULE = Rule(
    Entry("LB411", "tag-contaminated", "0.1.0", "label tags", __doc__ or ""),
    Axis.TAG,
    judge,
    "",
)
