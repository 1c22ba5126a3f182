"""The agent printed the card of the task, which holds the canary token.

Why it matters: the card reached the agent: that is a leak of the harness, and no proof that the answer was known.

Bad: the echo counts like a token in a patch.
Good: tag canary_echo, a leak to report.
Fix: keep the card out of the sandbox.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis


def judge(view: View) -> Answer:
    """Does it hold?"""
    if view.row.canary_echo is True:
        return Said("canary_echo", "the card with the token was printed", ("canary_echo",))
    return No("it does not hold", ("canary_echo",))


RULE = Rule(
    Entry("LB410", "tag-canary-echo", "0.1.0", "label tags", __doc__ or ""),
    Axis.TAG,
    judge,
    "",
)
