"""A patch that is known to be wrong: it must fail.

Why it matters: tests that accept a known mistake accept others.

Bad: the known mistake is green, and the pack is published.
Good: control violated.
Fix: add the test that the known mistake fails.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.promises import OTHER, inconclusive
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis, Control, ControlState, Outcome


def judge(view: View) -> Answer:
    """Does it hold?"""
    if view.row.control != Control.KNOWN_BAD_MUST_FAIL:
        return No(OTHER, ("control",))
    if (open_ := inconclusive(view)) is not None:
        return open_
    if view.one(Axis.OUTCOME) == Outcome.PASS:
        return Said(
            ControlState.VIOLATED,
            "expected fail, got pass: a patch that is known to be wrong passed",
            ("grade", "patch"),
        )
    return Said(ControlState.HELD, "the known mistake did not pass", ("grade",))


RULE = Rule(
    Entry("LB502", "control-known-bad-must-fail", "0.1.0", "label controls", __doc__ or ""),
    Axis.CONTROL,
    judge,
    "the opposite verdict",
)
