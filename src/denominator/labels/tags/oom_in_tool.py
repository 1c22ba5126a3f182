"""Memory ran out in a tool call that the agent survived.

Why it matters: it is a fact about the limits, not an ending.

Bad: INFRA, because a tool result says 137.
Good: the verdict stands, tag oom_in_tool.
Fix: state guaranteed and kill limit in the envelope.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis, KilledBy


def judge(view: View) -> Answer:
    """Does it hold?"""
    sender = facts.text(view.row.killed_by)
    of_sandbox = sender == KilledBy.KERNEL_OOM or (sender == "" and not facts.has_verdict(view.row))
    if view.row.oom is True and not of_sandbox:
        return Said(
            "oom_in_tool",
            "memory ran out in a child, and the sandbox lived on",
            (
                "oom",
                "killed_by",
            ),
        )
    return No(
        "it does not hold",
        (
            "oom",
            "killed_by",
        ),
    )


RULE = Rule(
    Entry("LB420", "tag-oom-in-tool", "0.1.0", "label tags", __doc__ or ""),
    Axis.TAG,
    judge,
    "",
)
