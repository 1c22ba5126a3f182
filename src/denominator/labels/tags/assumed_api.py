"""A surface is used that nobody defines, whatever the primary bucket is.

Why it matters: an invented path beside a timeout would be lost.

Bad: only the first bucket is counted.
Good: tag assumed_api with the names.
Fix: give the spec to the agent.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis


def judge(view: View) -> Answer:
    """Does it hold?"""
    if facts.invented(view.row):
        return Said("assumed_api", "a surface is used that nobody defines", ("surfaces.invented",))
    return No("it does not hold", ("surfaces.invented",))


RULE = Rule(
    Entry("LB414", "tag-assumed-api", "0.1.0", "label tags", __doc__ or ""),
    Axis.TAG,
    judge,
    "",
)
