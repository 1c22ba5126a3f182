"""There is no verdict, and nothing explains why: the harness's, for a person to look at.

Why it matters: a row that nobody can explain may be anything; unknown is never a pass, never 0 and never weather.

Bad: the row is left out, or filed under "other".
Good: unscoreable HARNESS without a reason, class unresolved: nothing is published until somebody has looked.
Fix: find the event that explains the row, or label it by hand with evidence.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.results import unscoreable
from denominator.labels.shape import ENDING, Answer, Rule, View


def judge(_view: View) -> Answer:
    """Does it hold, and with what ending?"""
    return unscoreable("HARNESS", "", "no verdict, and no event explains why", "grade", "stop_reason", "runner_ending")


RULE = Rule(
    Entry("LB199", "no-verdict", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "a verdict, a failure event, or the sender of the signal that ended it",
)
