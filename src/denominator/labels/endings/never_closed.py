"""An attempt of ours that has no ending of its own.

Why it matters: the runner died with it; what happened after the last event is not known and must not be guessed.

Bad: the open attempt is left out, and the denominator shrinks by one.
Good: unscoreable HARNESS without a reason: unresolved, so nothing is published before it is resumed.
Fix: denominator resume RUN.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.results import unscoreable
from denominator.labels.shape import ENDING, Answer, No, Rule, View


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    if facts.is_own(view.row) and not view.row.closed:
        return unscoreable("HARNESS", "", "the attempt was never closed", "closed")
    return No("the attempt was closed", ("closed",))


RULE = Rule(
    Entry("LB130", "never-closed", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "the closing event of the attempt",
)
