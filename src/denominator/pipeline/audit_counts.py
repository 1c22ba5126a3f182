"""How many draws a printed percentage could be of, counted in the rows of a judged result."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from denominator.records.audits import AuditedCount
from denominator.records.draws import placed
from denominator.records.judgements import NEVER_STARTED, SCORED, Judged, JudgedDraw, Sheet
from denominator.records.keys import DrawKey
from denominator.records.rows import Count, PatchFacts
from denominator.records.values import NotMeasured
from denominator.stats import pass_at_k

HIDDEN = NotMeasured("hidden: a control is violated")
NO_ROWS = NotMeasured("there are no rows")
SCHEDULED, RECORDED, SCORED_ONES = "scheduled", "with a record", "scored"
WITHOUT_ERROR, SUBMITTED, ERRORS = "without an error", "with a patch", "unscoreable"


TASKS_SCHEDULED, TASKS_RECORDED, TASKS_SCORED = "tasks scheduled", "tasks with a record", "tasks with a score"
MEAN, MEAN_ALL = (
    "the mean of each task's rate",
    "the mean of each task's rate, draws without a score among the failures",
)
MOST_K = 10
ANY, ALL = "tasks passed at least once", "tasks passed every time"


@dataclass(frozen=True, slots=True)
class ByTask:
    """Where tasks have several draws: how many tasks, and what can be made of the draws of each and summed up.

    `sums` are exact: the sum over tasks of each one's rate over its scored draws, and how many passed any or every one of
    them. `most` is the largest number of draws of a task. Empty where every task has one draw: then a task is a draw.
    """

    denominators: tuple[AuditedCount, ...] = ()
    sums: tuple[tuple[str, Fraction], ...] = ()
    most: int = 1


ONE_DRAW_EACH = ByTask()


@dataclass(frozen=True, slots=True)
class Counted:
    """Passes and denominators of the solvable slice; `errors` are its unscoreable draws.

    `passes_late` are the passes where a later attempt counts too, as many sources count them: no result of ours.
    """

    passes: Count
    denominators: tuple[AuditedCount, ...]
    errors: Count
    by_task: ByTask = field(default=ONE_DRAW_EACH)
    passes_late: Count = NO_ROWS

    def n(self, name: str) -> Count:
        """One of the denominators."""
        return next((one.n for one in self.denominators if one.name == name), NO_ROWS)

    @property
    def largest(self) -> int:
        """The largest that is known."""
        return max((one.n for one in self.denominators if isinstance(one.n, int)), default=0)


def counted_of(judged: Judged) -> Counted:
    """What the rows of a judged result hold."""
    sheet = judged.sheet
    recorded = sheet.count(_started)
    passes: Count = HIDDEN if judged.split_hidden else sheet.count(lambda one: one.exit == "pass")
    return Counted(
        passes=passes if recorded else NO_ROWS,
        denominators=(
            AuditedCount(name=SCHEDULED, n=sheet.solvable_n()),
            AuditedCount(name=RECORDED, n=recorded),
            AuditedCount(name=SCORED_ONES, n=sheet.count(lambda one: one.exit in SCORED)),
            AuditedCount(name=WITHOUT_ERROR, n=sheet.count(_without_error)),
            AuditedCount(name=SUBMITTED, n=_submitted(sheet)),
        ),
        errors=sheet.count(lambda one: one.exit == "unscoreable") if recorded else NO_ROWS,
        by_task=_by_task(sheet, hidden=judged.split_hidden),
        passes_late=HIDDEN if judged.split_hidden else sheet.count(_passed_late),
    )


def _by_task(sheet: Sheet, *, hidden: bool) -> ByTask:
    """Tasks with several draws. A split that is hidden stays so."""
    draws: defaultdict[str, list[str]] = defaultdict(list)
    for task, _, draw in sheet.placed():
        draws[task].append(draw.exit)
    most = max(map(len, draws.values()), default=0)
    if most < 2:
        return ONE_DRAW_EACH
    kept = [some for exits in draws.values() if (some := [one for one in exits if one != NEVER_STARTED])]
    scored = [flags for exits in kept if (flags := [one == "pass" for one in exits if one in SCORED])]
    scheduled: Count = NotMeasured("not every task is known by its id") if sheet.unnamed else len(draws)
    if isinstance(sheet.declared_n, NotMeasured):
        scheduled = sheet.declared_n
    sums: tuple[tuple[str, Fraction], ...] = (
        (MEAN, sum((Fraction(sum(one), len(one)) for one in scored), Fraction())),
        (MEAN_ALL, sum((Fraction(one.count("pass"), len(one)) for one in kept), Fraction())),
        (ANY, Fraction(sum(map(any, scored)))),
        (ALL, Fraction(sum(map(all, scored)))),
    )
    sums += tuple((f"pass@{k} of each task's draws", total) for k, total in _at_k(scored, most))
    recorded = len(kept)
    counts = ((TASKS_SCHEDULED, scheduled), (TASKS_RECORDED, recorded), (TASKS_SCORED, len(scored)))
    return ByTask(tuple(AuditedCount(name=name, n=n) for name, n in counts), () if hidden else sums, most)


def _at_k(scored: Sequence[Sequence[bool]], most: int) -> Iterator[tuple[int, Fraction]]:
    """Sums of pass@k over tasks, for every k that all of them have draws for."""
    least = min(map(len, scored), default=0)
    for k in range(2, min(least, MOST_K, most) + 1):
        found = [pass_at_k(len(one), sum(one), k) for one in scored]
        yield k, sum((one for one in found if isinstance(one, Fraction)), Fraction())


def draws_of(sheet: Sheet, holds: Callable[[JudgedDraw], bool]) -> frozenset[DrawKey]:
    """The draws of the solvable slice for which something holds."""
    return frozenset(
        DrawKey(task, repeat)
        for task, repeat, _ in placed(sheet.draws, lambda one: one.slice == "solvable" and holds(one))
    )


def recorded_draws(sheet: Sheet) -> frozenset[DrawKey]:
    """The draws that have a record."""
    return draws_of(sheet, _started)


def _passed_late(draw: JudgedDraw) -> bool:
    return draw.exit == "pass" or "pass" in draw.outcomes


def _started(draw: JudgedDraw) -> bool:
    return draw.exit != NEVER_STARTED


def _without_error(draw: JudgedDraw) -> bool:
    return draw.exit in SCORED and draw.row is not None and draw.row.first_unrecovered is None


def _submitted(sheet: Sheet) -> Count:
    """Draws with a patch, where every record says whether there is one."""
    unsaid = sheet.count(lambda one: _started(one) and not isinstance(_patch(one), PatchFacts))
    if unsaid or not sheet.count(_started):
        return NotMeasured("not every row says whether there is a patch")
    return sheet.count(lambda one: _has_patch(_patch(one)))


def _patch(draw: JudgedDraw) -> PatchFacts | NotMeasured | None:
    return None if draw.row is None else draw.row.patch


def _has_patch(patch: PatchFacts | NotMeasured | None) -> bool:
    return isinstance(patch, PatchFacts) and patch.bytes != 0
