"""A control with nothing to do: untouched and green holds; anything else is the harness's until explained.

Why it matters: a task that is green before the agent starts shows whether agents leave working code alone; its green
says nothing about skill.

Bad: the agent rewrote a working module, the suite broke, and the row counts as one more failed task.
Good: green and unchanged: the control held; edited or broken: outcome fail, origin HARNESS until a person explains
it.
Fix: look at the patch; decide whether the prompt or the agent asked for the change.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.shape import ENDING, Answer, Ending, No, Rule, View
from denominator.records.words import Control, Grade


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    row = view.row
    if row.control != Control.NOOP_MUST_STAY_GREEN:
        return No("it is no control that must stay green", ("control",))
    if not facts.has_verdict(row):
        return No("there is no verdict on it", ("grade",))
    if facts.grade_of(row) == Grade.GREEN and not facts.changed(row):
        return Ending("pass", "MODEL", "nothing was to do and nothing was changed", ("grade", "patch"))
    return Ending(
        "fail", "HARNESS", "an already green tree was edited or broken; whose fault is open", ("grade", "patch")
    )


RULE = Rule(
    Entry("LB103", "already-green-control", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "an empty patch and a green tree",
)
