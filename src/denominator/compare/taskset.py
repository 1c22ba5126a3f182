"""Do two arms have the same draws? A task of one side only is an exit to explain first, never a row to drop."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from denominator.compare.arms import listed
from denominator.records.comparisons import Side
from denominator.records.values import counted


@dataclass(frozen=True, slots=True)
class TaskSets:
    """Tasks of one side only, and every reason why the draws are not the same."""

    only_a: tuple[str, ...] = ()
    only_b: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()


def compare_tasks(a: Side, b: Side) -> TaskSets:
    """Task ids, slices and repeats of both sides, by declared draw."""
    of_a, of_b = _tasks(a), _tasks(b)
    only_a, only_b = tuple(sorted(of_a.keys() - of_b.keys())), tuple(sorted(of_b.keys() - of_a.keys()))
    both = sorted(of_a.keys() & of_b.keys())
    reasons = [
        *_only(a, b, only_a, only_b),
        *_slices([task for task in both if of_a[task][0] != of_b[task][0]]),
        *_repeats(a, b, [(task, len(of_a[task][1]), len(of_b[task][1])) for task in both]),
    ]
    return TaskSets(only_a, only_b, tuple(reasons))


def _tasks(side: Side) -> dict[str, tuple[str, set[int]]]:
    found: dict[str, tuple[str, set[int]]] = {}
    for draw in side.sheet.draws:
        found.setdefault(draw.draw.task_id, (draw.slice, set()))[1].add(draw.draw.repeat)
    return found


def _only(a: Side, b: Side, only_a: tuple[str, ...], only_b: tuple[str, ...]) -> Iterable[str]:
    parts = [f"{listed(ids)} only in {side.name}" for side, ids in ((a, only_a), (b, only_b)) if ids]
    for side in (a, b):
        if unnamed := side.sheet.unnamed:
            have = "has" if unnamed == 1 else "have"
            parts.append(f"{counted(unnamed, 'declared draw')} of {side.name} {have} no id")
    if parts:
        yield f"task sets differ: {'; '.join(parts)}"


def _slices(tasks: list[str]) -> Iterable[str]:
    if tasks:
        yield f"tasks differ in slice: {listed(tasks)} {'is' if len(tasks) == 1 else 'are'} of another slice in the other arm"


def _repeats(a: Side, b: Side, counts: list[tuple[str, int, int]]) -> Iterable[str]:
    odd = [(task, left, right) for task, left, right in counts if left != right]
    if not odd:
        return
    pairs = sorted({(left, right) for _, left, right in odd})
    shown = ", ".join(f"{left} in {a.name} and {right} in {b.name}" for left, right in pairs[:3])
    yield f"repeats differ: {shown} ({listed(task for task, _, _ in odd)})"
