"""The agent used the channel for asking or for saying no.

Why it matters: an agent that says "the file is missing" is worth more than one that guesses; a table that knows only
pass and fail hides it.

Bad: the agent asked for the absent credential and stopped, and the row is a failure like any other.
Good: outcome abstain, origin MODEL, tag asked; counted in n, never a pass.
Fix: nothing to fix; where the task can be solved without asking, read what it asked for.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.results import abstain
from denominator.labels.shape import ENDING, Answer, No, Rule, View


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    if not facts.used_channel(view.row):
        return No("the channel was not used", ("asked", "abstained"))
    if facts.ended_unseen(view.row):
        return No("something ended the attempt before there was a verdict", ("first_unrecovered",))
    return abstain("the ask or abstain channel was used", "asked", "abstained")


RULE = Rule(
    Entry("LB120", "asked-or-abstained", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "an attempt that did not use the channel",
)
