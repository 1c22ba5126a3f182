"""Graded after its own budget was spent: the sealed policy says what that is worth.

Why it matters: whether work that is finished too late counts is a decision about the question, and must not follow
the results.

Bad: late passes count in one table and not in the other, and nobody wrote down which.
Good: on_timeout "fail": a fail. "grade": what was left on disk is graded. Not stated: unknown, and no aggregate.
Fix: state on_timeout in the envelope before the run.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.results import fail
from denominator.labels.shape import ENDING, Answer, Ending, No, Rule, View
from denominator.labels.verdicts import verdict_of
from denominator.records.judgements import UNKNOWN
from denominator.records.words import Grade

FIELDS = ("killed_by", "stop_reason", "after_cap", "grade")


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    row, verdict = view.row, verdict_of(view)
    if not verdict or not facts.timed_out(row):
        return No("there is no verdict, or no budget was spent before it", FIELDS)
    if view.terms.on_timeout == "fail" or verdict == Grade.RED:
        return fail("its own budget was spent", *FIELDS)
    if view.terms.on_timeout == "grade":
        return No("the sealed policy is to grade what was left on disk", FIELDS)
    return Ending(UNKNOWN, "MODEL", "green after its cap, and on_timeout is not declared", FIELDS)


RULE = Rule(
    Entry("LB121", "verdict-after-its-cap", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    'on_timeout = "grade" in the envelope, or a verdict before the budget was spent',
)
