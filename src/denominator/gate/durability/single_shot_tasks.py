"""Durability is undefined for single-shot tasks.

Why it matters: a task that is one call has no state from which it could be resumed; starting it again is no recovery.

Bad: a single-shot runner with a resume success rate of 1.0. Good: undefined, with the tasks by name.
Fix: bench tasks with more than one checkpoint."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.durability.shape import BenchRule
from denominator.gate.shape import Said, listed, note
from denominator.records.durability import BenchSheet


def check(sheet: BenchSheet) -> Iterable[Said]:
    """Single-shot tasks, and a runner without checkpoints between which it could die."""
    if len(sheet.terms.checkpoints) < 2:
        many = len(sheet.terms.checkpoints)
        yield note("runner", f"single-shot: {many} checkpoint(s), so durability is undefined")
    if sheet.terms.single_shot:
        yield note("tasks", f"single-shot, so durability is undefined for them: {listed(sheet.terms.single_shot)}")


RULE = BenchRule(
    Entry("GL089", "single-shot-tasks", "0.1.0", "gate", __doc__ or ""),
    check,
    "no task is single-shot",
)
