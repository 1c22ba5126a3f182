"""The kernel ended the sandbox because memory ran out.

Why it matters: a sandbox that is killed from outside has no ending of its own; whether the limit was fair is a
question to the envelope.

Bad: the word Killed in a tool result counts, although the sandbox lived on.
Good: unscoreable INFRA, reason oom_sandbox, when the sandbox itself died; a tag when only a child did.
Fix: compare the enforced limit with the envelope's; keep guaranteed and kill limit apart.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.results import unscoreable
from denominator.labels.shape import ENDING, Answer, No, Rule, View
from denominator.records.words import KilledBy


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    sender = facts.text(view.row.killed_by)
    if sender == KilledBy.KERNEL_OOM or (view.row.oom is True and sender == ""):
        return unscoreable("INFRA", "oom_sandbox", "the sandbox's memory limit ended it", "killed_by", "oom")
    return No("the kernel did not end the sandbox for memory", ("killed_by", "oom"))


RULE = Rule(
    Entry("LB136", "out-of-memory", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "a sandbox that lived on after the kernel had ended one of its children",
)
