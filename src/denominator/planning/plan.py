"""The plan: every draw, in the order in which attempt 1 starts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from denominator.errors import InputError
from denominator.records.keys import DrawKey
from denominator.records.packs import Task
from denominator.records.rows import Declared
from denominator.records.seals import Plan
from denominator.records.words import Slice
from denominator.stats.prng import Prng
from denominator.wire.canonical import digest


def make_plan(tasks: Sequence[Task], repeats: int, order_seed: int, warmup: int) -> Plan:
    """All tasks once, then all again, `repeats` times; each round in an order of its own drawn from `order_seed`.

    Seed 0 keeps the pack's order in every round. Rounds rather than task by task, so that a run that is cut short
    has seen every task about equally often. Warm-up uses the first tasks of the order and is in no denominator.
    """
    if repeats < 1:
        raise InputError(f"repeats must be at least 1, not {repeats}", where="budget.repeats")
    if warmup < 0:
        raise InputError(f"warmup_tasks cannot be negative, not {warmup}", where="run.warmup_tasks")
    draws = tuple(
        _declared(task, repeat) for repeat in range(1, repeats + 1) for task in _round(tasks, order_seed, repeat)
    )
    return Plan(
        draws=draws,
        warmup=tuple(declared.draw.task_id for declared in draws[: min(warmup, len(tasks))]),
        order_digest=order_digest(declared.draw for declared in draws),
    )


def order_digest(draws: Iterable[DrawKey]) -> str:
    """sha256 of the canonical JSON [[task, repeat], ...]: two runs with one digest started their draws in one order."""
    return digest([[draw.task_id, draw.repeat] for draw in draws])


def _round(tasks: Sequence[Task], order_seed: int, repeat: int) -> Sequence[Task]:
    return tasks if order_seed == 0 else Prng(order_seed, f"order/{repeat}").shuffled(tasks)


def _declared(task: Task, repeat: int) -> Declared:
    return Declared(draw=DrawKey(task.id, repeat), slice=task.slice, control=control_of(task), stratum=task.family)


def control_of(task: Task) -> str:
    """What the task promises beforehand: its control, or what its slice is a control of (canary, floor)."""
    return task.control or (task.slice if task.slice in (Slice.CANARY, Slice.FLOOR) else "")
