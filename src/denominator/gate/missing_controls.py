"""A run has controls that could have failed.

Why it matters: without a task that must not pass, a grader that always says yes gives a perfect score.

Bad: sixteen solvable tasks and nothing else. Good: at least one control that must fail, and its result.

A foreign manifest that declares no controls is noted, and the sentence is capped at counts.
Fix: add typed controls to the pack (must_fail, noop_must_stay_green, must_ask ...).
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, block, note
from denominator.records.judgements import Sheet
from denominator.records.words import SHOWS_FALSE_PASS

FIX = "add typed controls to the pack and run again"


def check(sheet: Sheet) -> Iterable[Said]:
    """Own runs need a control that must not pass; foreign ones that declare none are noted."""
    if sheet.terms.origin != "seal" and not sheet.terms.controls_declared:
        yield note("controls", "controls: none declared (foreign manifest); the sentence is capped at counts", FIX)
    elif not sheet.controls:
        yield block("controls", "controls are missing", FIX)
    elif not any(control.name in SHOWS_FALSE_PASS for control in sheet.controls):
        say = block if sheet.terms.origin == "seal" else note
        yield say("controls", "no control could have shown a false pass", FIX)


RULE = Rule(
    Entry("GL012", "missing-controls", "0.1.0", "gate", __doc__ or ""),
    check,
    "there is a control that could have shown a false pass",
    caps=True,
)
