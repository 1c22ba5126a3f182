"""Below eight tasks there are counts, not rates.

Why it matters: with five tasks one more pass moves a percentage by twenty points, and the interval covers half the
range.

Bad: "80 %" from 4 of 5. Good: "4 of 5 passed".
Fix: more tasks; repeats do not help here.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.known import tasks_of
from denominator.gate.shape import Rule, Said, counted, note
from denominator.records.judgements import Sheet

LEAST = 8


def check(sheet: Sheet) -> Iterable[Said]:
    """The number of solvable tasks."""
    n = tasks_of(sheet)
    if n < LEAST:
        what = f"{counted(n, 'solvable task')}, fewer than {LEAST}: counts only"
        yield note("tasks", what, f"{counted(LEAST - n, 'more solvable task')} for a rate")


RULE = Rule(
    Entry("GL024", "few-tasks", "0.1.0", "gate", __doc__ or ""),
    check,
    "there are at least 8 solvable tasks",
    caps=True,
    hides_value=True,
)
