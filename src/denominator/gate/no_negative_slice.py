"""Without tasks that must not pass a result is a smoke test.

Why it matters: only a task that must stay red can show that the grader says no. Without one every pass may be the
grader's habit.

Bad: 16 solvable tasks, 13 passes, "81 %". Good: "no negative slice: a smoke test only", and the counts.
The check: at least one declared draw of the negative slice that came to a verdict.
Fix: add typed controls to the pack (must_fail, known_bad_must_fail, must_ask ...) and run again.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, note
from denominator.records.judgements import SCORED, Sheet
from denominator.records.words import Slice

FIX = "add tasks that must not pass, and score them"


def check(sheet: Sheet) -> Iterable[Said]:
    """Scored draws of the negative slice."""
    if not any(True for _ in sheet.alike(Slice.NEGATIVE)):
        yield note("slices", "no negative slice: a smoke test only, counts and nothing else", FIX)
    elif not sheet.count(lambda draw: draw.exit in SCORED, Slice.NEGATIVE):
        yield note("slices", "no draw of the negative slice came to a verdict: a smoke test only", FIX)


RULE = Rule(
    Entry("GL048", "no-negative-slice", "0.1.0", "gate", __doc__ or ""),
    check,
    "a negative slice was scored",
    caps=True,
)
