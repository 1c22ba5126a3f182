"""A canary token is in the patch or the log.

Why it matters: no correct patch contains it; where it turns up, the answer has leaked.

Bad: the row is a pass with an odd comment in it.
Good: outcome fail, tag canary_hit; the headline is not allowed.
Fix: find the way by which the token reached the agent.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis


def judge(view: View) -> Answer:
    """Does it hold?"""
    if view.row.canary_hits:
        return Said("canary_hit", "a canary token was found", ("canary_hits",))
    return No("it does not hold", ("canary_hits",))


RULE = Rule(
    Entry("LB409", "tag-canary-hit", "0.1.0", "label tags", __doc__ or ""),
    Axis.TAG,
    judge,
    "",
)
