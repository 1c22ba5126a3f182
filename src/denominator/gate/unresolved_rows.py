"""Every row that counts has an outcome, and an unscoreable one has a reason.

Why it matters: a row that nobody can explain may be anything; it is not a fail, not a pass, and not infrastructure
either.

Bad: a crash without an event is filed under "infra". Good: unresolved, named, and a person looks at it.
Fix: look at the row (`denominator show`), find the event that explains it, or label it by hand with evidence.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, block
from denominator.records.judgements import JudgedDraw, Sheet

FIX = "find the event that explains the row; without one no number is printed"


def check(sheet: Sheet) -> Iterable[Said]:
    """One finding per unresolved draw."""
    for draw in sheet.draws:
        if draw.row is not None and (draw.failure_class == "unresolved" or draw.exit == "unknown"):
            attempt = f"repeat {draw.draw.repeat} attempt {draw.row.key.attempt}"
            yield block(draw.draw.task_id, f"{attempt}: {_what(draw)}", FIX)


def _what(draw: JudgedDraw) -> str:
    if draw.exit == "unknown":
        return "the outcome is unknown"
    return "there is no verdict and no event explains why"


RULE = Rule(
    Entry("GL013", "unresolved-rows", "0.1.0", "gate", __doc__ or ""),
    check,
    "every row has an outcome, and a reason where it needs one",
)
