"""Two arms over the same declared draws, task by task: what the statistics of a pair are made from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from denominator.records.comparisons import TaskPair
from denominator.records.families import family_named
from denominator.records.judgements import SCORED, JudgedDraw, Sheet
from denominator.records.values import NotMeasured


@dataclass(frozen=True, slots=True)
class Paired:
    """Passes of both arms per task, same order, out of the same `repeats`; `unseen` draws have no verdict.

    A draw without a verdict counts as no pass here; `worst_case` says what it could have been. `clusters` is empty where
    no two tasks are known to share a family or a repository.
    """

    rows: tuple[TaskPair, ...]
    repeats: int
    clusters: tuple[str, ...] = ()

    @property
    def a(self) -> tuple[int, ...]:
        """Passes of the first arm."""
        return tuple(row.passes_a for row in self.rows)

    @property
    def b(self) -> tuple[int, ...]:
        """Passes of the second arm."""
        return tuple(row.passes_b for row in self.rows)

    @property
    def diffs(self) -> tuple[int, ...]:
        """Passes of the first arm less those of the second."""
        return tuple(row.passes_a - row.passes_b for row in self.rows)

    @property
    def draws(self) -> int:
        """Draws of one arm."""
        return len(self.rows) * self.repeats

    @property
    def unseen(self) -> int:
        """Draws of both arms without a verdict."""
        return sum(row.unseen_a + row.unseen_b for row in self.rows)

    def filled(self, a_passes: bool, b_passes: bool) -> Paired:
        """As if every unseen draw of an arm had passed, or failed."""
        rows = (
            replace(
                row,
                passes_a=row.passes_a + row.unseen_a * a_passes,
                passes_b=row.passes_b + row.unseen_b * b_passes,
                unseen_a=0,
                unseen_b=0,
            )
            for row in self.rows
        )
        return replace(self, rows=tuple(rows))


def pair_up(a: Sheet, b: Sheet) -> Paired | NotMeasured:
    """The solvable slice of both arms, paired by task; not measured (with the reason) where it cannot be paired."""
    of_a, of_b = by_task(a), by_task(b)
    why = _unfit(a, b, of_a, of_b)
    if why:
        return NotMeasured(why)
    names = _clusters(of_a, of_b, {**dict(b.terms.families), **dict(a.terms.families)})
    rows = tuple(_row(task, of_a[task], of_b[task], names.get(task, "")) for task in sorted(of_a))
    shared = len(set(names.values())) < len(rows)
    clusters = tuple(row.cluster for row in rows) if shared else ()
    return Paired(rows, len(next(iter(of_a.values()))), clusters)


def by_task(sheet: Sheet) -> dict[str, tuple[JudgedDraw, ...]]:
    """The declared draws of each task of the solvable slice."""
    found: dict[str, list[JudgedDraw]] = {}
    for draw in sheet.of_slice("solvable"):
        found.setdefault(draw.draw.task_id, []).append(draw)
    return {task: tuple(sorted(draws, key=lambda one: one.draw)) for task, draws in found.items()}


Tasks = dict[str, tuple[JudgedDraw, ...]]


def _unfit(a: Sheet, b: Sheet, of_a: Tasks, of_b: Tasks) -> str:
    """Why two arms cannot be paired; empty when they can."""
    if isinstance(a.declared_n, NotMeasured) or isinstance(b.declared_n, NotMeasured):
        return "nobody knows how many draws were declared"
    if a.unnamed or b.unnamed:
        return "declared draws without a row are known by number only"
    if of_a.keys() != of_b.keys():
        return "the task sets differ"
    if not of_a:
        return "there is no task that both arms ran"
    return _uneven(of_a, of_b)


def _uneven(of_a: Tasks, of_b: Tasks) -> str:
    counts = Counter(len(draws) for tasks in (of_a, of_b) for draws in tasks.values())
    if len(counts) == 1:
        return ""
    usual = counts.most_common(1)[0][0]
    odd = sorted({t for tasks in (of_a, of_b) for t, draws in tasks.items() if len(draws) != usual})
    listed = ", ".join(odd[:12]) + (f" and {len(odd) - 12} more" if len(odd) > 12 else "")
    return f"repeats are uneven: {listed} {'has' if len(odd) == 1 else 'have'} other than {usual} in one arm or both"


def _row(task: str, a: Iterable[JudgedDraw], b: Iterable[JudgedDraw], cluster: str) -> TaskPair:
    a, b = tuple(a), tuple(b)
    return TaskPair(
        task_id=task,
        passes_a=_count(a, lambda draw: draw.exit == "pass"),
        passes_b=_count(b, lambda draw: draw.exit == "pass"),
        unseen_a=_count(a, lambda draw: draw.exit not in SCORED),
        unseen_b=_count(b, lambda draw: draw.exit not in SCORED),
        cluster=cluster,
        stratum=next((draw.stratum for draw in (*a, *b) if draw.stratum), ""),
    )


def _count(draws: Iterable[JudgedDraw], holds: Callable[[JudgedDraw], bool]) -> int:
    return sum(map(holds, draws))


def _clusters(of_a: Tasks, of_b: Tasks, families: Mapping[str, str]) -> dict[str, str]:
    """The family or repository of each task; a task of which nobody says one stands for itself."""
    found = {task: families.get(task) or _cluster((*of_a[task], *of_b[task])) for task in of_a}
    return {task: name or f"task {task}" for task, name in found.items()}


def _cluster(draws: Iterable[JudgedDraw]) -> str:
    """The first family that a draw's row names in a column."""
    return next((name for draw in draws if (name := family_named(draw.row))), "")
