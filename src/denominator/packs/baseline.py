"""What agent-off gradings say of each task."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.records.packs import BaselineRun, Task
from denominator.records.words import Control, Grade


def judge_baseline(tasks: Iterable[Task], runs: Iterable[BaselineRun]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(flaky, wrong) task ids: both results on one tree; or any grade but the wanted one, no verdict included."""
    seen: dict[tuple[str, str], set[str]] = {}
    for run in runs:
        seen.setdefault((run.task_id, run.on), set()).add(run.grade)
    flaky, wrong = [], []
    for task in tasks:
        grades = {on: seen.get((task.id, on), set()) for on in ("base", "gold")}
        if any(Grade.GREEN in found and found & {Grade.RED, Grade.TAMPERED} for found in grades.values()):
            flaky.append(task.id)
        elif grades["base"] != {_wanted(task)} or grades["gold"] - {Grade.GREEN}:
            wrong.append(task.id)
    return tuple(sorted(flaky)), tuple(sorted(wrong))


def _wanted(task: Task) -> Grade:
    green = task.control == Control.NOOP_MUST_STAY_GREEN or task.expected == "stay_green"
    return Grade.GREEN if green else Grade.RED
