"""Every row that counts has an outcome, and an unscoreable one has a reason.

Why it matters: a row that nobody can explain may be anything; it is not a fail, not a pass, and not infrastructure
either.

Bad: a crash without an event is filed under "infra". Good: unresolved, named, and a person looks at it.
Fix: look at the row (`denominator show`), find the event that explains it, or label it by hand with evidence.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, block, by_task, counted
from denominator.records.judgements import JudgedDraw, Sheet

FIX = "find the event that explains the row; without one no number is printed"


def check(sheet: Sheet) -> Iterable[Said]:
    """One finding per kind of not knowing, with the draws that it holds for."""
    for what, holds in (("the outcome is unknown", _no_outcome), (UNEXPLAINED, _unexplained)):
        found = [task for task, _, _ in sheet.placed(holds, "")]
        if found:
            yield block(counted(len(found), "draw"), f"{what}: {by_task(found)}", FIX)


UNEXPLAINED = "there is no verdict and no event explains why"


def _no_outcome(draw: JudgedDraw) -> bool:
    return draw.row is not None and draw.exit == "unknown"


def _unexplained(draw: JudgedDraw) -> bool:
    return draw.row is not None and draw.failure_class == "unresolved" and draw.exit != "unknown"


RULE = Rule(
    Entry("GL013", "unresolved-rows", "0.1.0", "gate", __doc__ or ""),
    check,
    "every row has an outcome, and a reason where it needs one",
)
