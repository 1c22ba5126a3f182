"""Repeated gradings with the agent off -> what may be said of each task, and how often its tests may still flip."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from denominator.packs.baseline import AGAINST, BASE, GOLD, judge_baseline, unstable_ids, wanted_grade
from denominator.records.checks import TaskCheck, TreeCheck
from denominator.records.packs import Baseline, BaselineRun, Task
from denominator.records.values import NotMeasured
from denominator.records.words import Grade
from denominator.stats.decimals import decimal6
from denominator.stats.exact_rates import clopper_pearson

ONE_SIDED = Fraction(9, 10)
"""The two-sided level whose upper end is the one-sided 95 % bound."""
WHY = {
    "stable": "every result is the one it must be",
    "FLAKY_TEST": "one tree showed both results",
    "pack_expired": "the gold patch was green at the lock and is red every time now",
    "wrong": "not the result it must be",
    "no_verdict": "a grading ended without a verdict",
}


def check_tasks(
    tasks: Iterable[Task], runs: Iterable[BaselineRun], locked: Baseline | None = None
) -> tuple[TaskCheck, ...]:
    """One check a task, in the order of the tasks; `locked` is the baseline of the lock."""
    tasks, runs = tuple(tasks), tuple(runs)
    said = judge_baseline(tasks, runs, locked)
    lists = (
        ("FLAKY_TEST", said.flaky),
        ("pack_expired", said.expired),
        ("wrong", said.wrong),
        ("no_verdict", said.ungraded),
    )
    words = {task_id: word for word, ids in lists for task_id in ids}
    return tuple(_task(task, words.get(task.id, "stable"), [r for r in runs if r.task_id == task.id]) for task in tasks)


def flake_upper(rare: int, verdicts: int) -> str | NotMeasured:
    """The exact one-sided 95 % upper bound of a flake rate after `rare` flips in `verdicts` gradings with a verdict."""
    if not verdicts:
        return NotMeasured("no grading came to a verdict")
    return decimal6(clopper_pearson(rare, verdicts, ONE_SIDED).hi)


def _task(task: Task, verdict: str, runs: list[BaselineRun]) -> TaskCheck:
    trees = tuple(_tree(task, on, here) for on in (BASE, GOLD) if (here := [r for r in runs if r.on == on]))
    odd = (r for r in runs if r.grade != wanted_grade(task, r.on) and r.detail)
    return TaskCheck(
        task_id=task.id,
        verdict=verdict,
        why=WHY[verdict],
        trees=trees,
        detail=next((f"{r.on}: {r.detail}" for r in odd), "") if verdict != "stable" else "",
    )


def _tree(task: Task, on: str, runs: list[BaselineRun]) -> TreeCheck:
    green = sum(r.grade == Grade.GREEN for r in runs)
    red = sum(r.grade in AGAINST for r in runs)
    return TreeCheck(
        on=on,
        wanted=wanted_grade(task, on),
        green=green,
        red=red,
        none=len(runs) - green - red,
        flake_rate_upper=flake_upper(min(green, red), green + red),
        unstable=unstable_ids(runs),
    )
