"""Below eight tasks a bench gives counts, not rates.

Why it matters: trials of one task share its code path; many faults on five tasks are five tasks.

Bad: "93 %" from 5 tasks and 2 faults. Good: "28 of 30 interrupted trials over 5 tasks".
Fix: more tasks; `--quick` is for a first look."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.durability.shape import BenchRule
from denominator.gate.shape import Said, counted, note
from denominator.records.durability import BenchSheet
from denominator.records.trials import BenchReading

LEAST = 8


def check(sheet: BenchSheet) -> Iterable[Said]:
    """Tasks with a trial under a fault."""
    tasks = len({one.task_id for one in BenchReading(sheet).durable})
    if tasks < LEAST:
        what = f"{counted(tasks, 'task')} under faults, fewer than {LEAST}: counts only"
        yield note("tasks", what, f"{counted(LEAST - tasks, 'more task')} for a rate")


RULE = BenchRule(
    Entry("GL088", "few-bench-tasks", "0.1.0", "gate", __doc__ or ""),
    check,
    "at least 8 tasks are under faults",
    caps=True,
)
