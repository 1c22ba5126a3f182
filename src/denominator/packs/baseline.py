"""What agent-off gradings say of each task."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from denominator.records.packs import Baseline, BaselineRun, Task
from denominator.records.words import Control, Grade

BASE, GOLD = "base", "gold"
AGAINST = frozenset({Grade.RED, Grade.TAMPERED})


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Task ids by what the gradings showed; a task that is in no list is as it must be. No task is in two lists."""

    flaky: tuple[str, ...] = ()
    expired: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    ungraded: tuple[str, ...] = ()


def judge_baseline(tasks: Iterable[Task], runs: Iterable[BaselineRun], locked: Baseline | None = None) -> Verdicts:
    """Judge each task by the grades seen on each of its trees; `locked` is what was seen when the pack was locked.

    Evidence only, strongest first: both results on one tree is flaky. A gold patch that was green at the lock and never
    is now is expired. Any other result than the wanted one is wrong. A grading without a verdict shows nothing of the
    tests: it makes a task neither flaky nor wrong, it leaves it ungraded.
    """
    seen, before = grades_seen(runs), grades_seen(locked.runs if locked else ())
    lists: dict[str, list[str]] = {"flaky": [], "expired": [], "wrong": [], "ungraded": []}
    for task in tasks:
        word = _judge(task, seen, before)
        if word:
            lists[word].append(task.id)
    return Verdicts(**{word: tuple(sorted(ids)) for word, ids in lists.items()})


def grades_seen(runs: Iterable[BaselineRun]) -> dict[tuple[str, str], frozenset[str]]:
    """The grades of each (task, tree)."""
    seen: dict[tuple[str, str], set[str]] = {}
    for run in runs:
        seen.setdefault((run.task_id, run.on), set()).add(run.grade)
    return {tree: frozenset(grades) for tree, grades in seen.items()}


def both_results(grades: Iterable[str]) -> bool:
    """Was one tree green and not green? A missing verdict is no result."""
    found = set(grades)
    return Grade.GREEN in found and bool(found & AGAINST)


def unstable_ids(runs: Iterable[BaselineRun]) -> tuple[str, ...]:
    """Test ids that passed and failed in gradings of one tree: a tree that is red for another reason hides them."""
    runs = tuple(runs)
    passed = {test_id for run in runs for test_id in run.passed}
    return tuple(sorted(passed & {test_id for run in runs for test_id in run.failed}))


def wanted_grade(task: Task, on: str) -> Grade:
    """What the hidden tests must say of a tree with the agent off."""
    stays = task.control == Control.NOOP_MUST_STAY_GREEN or task.expected == "stay_green"
    return Grade.GREEN if on == GOLD or stays else Grade.RED


def _judge(
    task: Task, seen: dict[tuple[str, str], frozenset[str]], before: dict[tuple[str, str], frozenset[str]]
) -> str:
    trees = {on: seen.get((task.id, on), frozenset()) for on in (BASE, GOLD)}
    if any(both_results(grades) for grades in trees.values()):
        return "flaky"
    if trees[GOLD] & AGAINST and before.get((task.id, GOLD)) == frozenset((str(Grade.GREEN),)):
        return "expired"
    if any(grades - {wanted_grade(task, on), Grade.NONE} for on, grades in trees.items()):
        return "wrong"
    return "ungraded" if not trees[BASE] or any(Grade.NONE in grades for grades in trees.values()) else ""
