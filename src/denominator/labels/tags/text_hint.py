"""A known text stands in a stream that the agent does not own: something for a person to read.

Why it matters: a text is never evidence enough to move a verdict, and never worth nothing.

Bad: "no space left" in the harness's log turns a red row into INFRA.
Good: the verdict stands, tag text_hint, with stream and offset.
Fix: read the place; record the failure as an event.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.hints import field_of
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis

MOST = 5


def judge(view: View) -> Answer:
    """Does it hold?"""
    hints = view.row.hints
    fields = tuple(field_of(one) for one in hints[:MOST]) or ("hints",)
    if hints:
        return Said("text_hint", "a known text stands in a stream that the agent does not own", fields)
    return No("it does not hold", fields)


RULE = Rule(
    Entry("LB426", "tag-text-hint", "0.1.0", "label tags", __doc__ or ""),
    Axis.TAG,
    judge,
    "",
)
