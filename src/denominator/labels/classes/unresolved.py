"""Nobody knows how the row ended.

Why it matters: an unexplained row is unknown, and unknown never passes; one of them is enough to hold a number back.

Bad: unresolved rows are left out of the table.
Good: class unresolved, named by task, until an event or a person explains it.
Fix: find the event that explains the row (denominator show), or label it with evidence.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.shape import Answer, Rule, Said, View
from denominator.records.words import Axis, FailureClass


def judge(_view: View) -> Answer:
    """Does it hold?"""
    return Said(FailureClass.UNRESOLVED, "no outcome or no reason is known", ("grade", "stop_reason"), "low")


RULE = Rule(
    Entry("LB210", "class-unresolved", "0.1.0", "label classes", __doc__ or ""),
    Axis.FAILURE_CLASS,
    judge,
    "an event that explains the row",
)
