"""A probe without a request that is wrong on purpose does not know what an error of this endpoint looks like.

Why it matters: an endpoint that answers 200 to anything turns a typing mistake of the caller into a silent answer.

Bad: 40 good requests, all answered. Good: the same, and three wrong ones that each got a structured 4xx.
Fix: a case of the group `malformed` in the fixture. Behind a gateway the control tests the gateway; the report says so."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.probing.reading import controls, told
from denominator.gate.probing.shape import Level, ProbeRule
from denominator.gate.shape import Said, block, counted, listed, note
from denominator.records.probe_results import ProbeScore
from denominator.records.probe_words import Cls


def check(score: ProbeScore, _level: Level) -> Iterable[Said]:
    """Is there a control, and what came of it?"""
    made = controls(score)
    if not made:
        fix = "a fixture with a case of the group malformed; where it has one, run the window to its end"
        yield block("controls", "no request that is wrong on purpose was sent", fix)
    wrong = [one for one in told(score, made) if one.cls != Cls.PASS]
    if wrong:
        names = listed(f"{one.case_id} ({one.reason or one.cls})" for one in wrong)
        what = f"{len(wrong)} of {counted(len(told(score, made)), 'malformed control')} not refused with a structured 4xx: {names}"
        yield note("controls", what, "check what you send before it goes out")


RULE = ProbeRule(
    Entry("GL092", "no-malformed-control", "0.1.0", "gate", __doc__ or ""),
    check,
    "wrong requests were sent, and refused as promised",
)
