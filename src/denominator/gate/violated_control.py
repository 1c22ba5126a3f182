"""No control is violated.

Why it matters: a grader that passes the impossible task, or a workspace in which a canary token was found, would
have passed everything else in the same way.

Bad: the impossible task is green, and the table says 4 of 4. Good: no number of any kind, and the control is named.
Fix: find out why (weak test, ignored limit, leak, wrong label), repair the pack or the harness, run again.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, block, listed
from denominator.records.judgements import JudgedDraw, Sheet
from denominator.records.words import Control

FIX = "find out why, repair the pack or the harness, run again"


def check(sheet: Sheet) -> Iterable[Said]:
    """Violated controls and canary tokens in patches, by task."""
    for control in sheet.controls:
        if control.state == "violated" and control.name != Control.NARRATION:
            yield block(control.task_id or control.name, f"control {control.name} is violated: {control.why}", FIX)
    for task, _, draw in sheet.placed(_leaked, ""):
        if draw.row is not None:
            what = f"the canary token is in the patch: {listed(draw.row.canary_hits)}"
            yield block(task, what, "find the leak before the next run")


def _leaked(draw: JudgedDraw) -> bool:
    return draw.row is not None and bool(draw.row.canary_hits) and draw.control != "canary"


RULE = Rule(
    Entry("GL010", "violated-control", "0.1.0", "gate", __doc__ or ""),
    check,
    "no control is violated",
    no_aggregate=True,
    hides_split=True,
)
