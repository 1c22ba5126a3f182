"""Sealed budgets as limits of one sandboxed command."""

from __future__ import annotations

from denominator.errors import IncompleteError
from denominator.ports import Limits
from denominator.records.envelopes import Envelope, Number
from denominator.records.packs import Task
from denominator.records.values import NotMeasured
from denominator.records.words import KilledBy

MB = 1 << 20


def agent_limits(envelope: Envelope, *, pausable: bool = False) -> Limits:
    """Limits of the agent phase. Without a model nothing pauses it, so the shorter of wall and working time cuts.

    Where a provider can pause it (`pausable`) the wall is the wall, and somebody else watches the working time.
    """
    wall = _int(envelope.budget.wall_s, "budget.wall_s")
    least = wall if pausable else min(wall, working_s(envelope))
    return _limits(envelope, float(least), envelope.budget.output_bytes)


def working_s(envelope: Envelope) -> int:
    """The sealed budget of working time."""
    return _int(envelope.budget.working_s, "budget.working_s")


def grader_limits(envelope: Envelope, task: Task) -> Limits:
    """Limits of grading one task."""
    return _limits(envelope, float(task.verify.timeout_s), envelope.budget.output_bytes)


def own_budget_word(envelope: Envelope, killed_by: str) -> str:
    """Name the budget that a wall limit stood for: the working-time one when that is the shorter."""
    wall, working = _int(envelope.budget.wall_s, "budget.wall_s"), _int(envelope.budget.working_s, "budget.working_s")
    return KilledBy.BUDGET_WORKING if killed_by == KilledBy.BUDGET_WALL and working < wall else killed_by


def _limits(envelope: Envelope, wall_s: float, output_bytes: int) -> Limits:
    box = envelope.sandbox
    return Limits(
        wall_s=wall_s,
        memory_bytes=_int(box.memory_mb, "sandbox.memory_mb") * MB,
        processes=_int(box.processes, "sandbox.processes"),
        disk_bytes=_int(box.disk_mb, "sandbox.disk_mb") * MB,
        file_bytes=_int(box.file_mb, "sandbox.file_mb") * MB,
        open_files=box.open_files,
        output_bytes=output_bytes,
    )


def _int(value: Number, name: str) -> int:
    if isinstance(value, NotMeasured):
        raise IncompleteError(f"{name} is {value}", where="envelope", fix="fill it in and seal again")
    return value
