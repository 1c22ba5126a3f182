"""How many draws a printed percentage could be of, counted in the rows of a judged result."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

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
MOST_DRAWS = 40
"""With more draws of a task than these every share is some value of tasks, and no quorum of them is tried."""
ANY, ALL = "tasks passed at least once", "tasks passed every time"
MEDIAN, MODE = "the median of each task's draws", "the more frequent verdict of each task's draws"


class Summed(NamedTuple):
    """The sum over tasks of what is made of the draws of each.

    `reducers` are the words by which a source says so (mean, max, at_least_2 ...). With `asked` it is meant only where the
    source says that word: there are many such numbers, and one of them would fit by chance.
    """

    name: str
    total: Fraction
    reducers: tuple[str, ...] = ()
    asked: bool = False


@dataclass(frozen=True, slots=True)
class ByTask:
    """Where tasks have several draws: how many tasks, and what can be made of the draws of each and summed up.

    `sums` are exact: the sum over tasks of each one's rate over its scored draws, how many passed any or every one of them,
    and so on. `most` is the largest number of draws of a task. Empty where every task has one draw: then a task is a draw.
    """

    denominators: tuple[AuditedCount, ...] = ()
    sums: tuple[Summed, ...] = ()
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
    kept = Counter(some for exits in draws.values() if (some := _tally(exits)).recorded)
    scored = Counter[tuple[int, int]]()
    for tally, many in kept.items():
        if tally.scored:
            scored[tally.scored, tally.passed] += many
    scheduled: Count = NotMeasured("not every task is known by its id") if sheet.unnamed else len(draws)
    if isinstance(sheet.declared_n, NotMeasured):
        scheduled = sheet.declared_n
    whole = sum((Fraction(one.passed, one.recorded) * many for one, many in kept.items()), Fraction())
    counts = ((TASKS_SCHEDULED, scheduled), (TASKS_RECORDED, kept.total()), (TASKS_SCORED, scored.total()))
    sums = () if hidden else tuple(sums_of_tasks(scored, whole, most))
    return ByTask(tuple(AuditedCount(name=name, n=n) for name, n in counts), sums, most)


class _Tally(NamedTuple):
    """Draws of one task: with a record, scored, passed."""

    recorded: int
    scored: int
    passed: int


def _tally(exits: Sequence[str]) -> _Tally:
    recorded = sum(one != NEVER_STARTED for one in exits)
    return _Tally(recorded, sum(one in SCORED for one in exits), exits.count("pass"))


Tasks = Mapping[tuple[int, int], int]
"""How many tasks have so many scored draws, and so many passes among them."""


def sums_of_tasks(tasks: Tasks, whole: Fraction, most: int) -> Iterator[Summed]:
    """Everything that sources make of the draws of a task. `whole` is the mean with unscored draws among the failures."""
    yield Summed(MEAN, _sum(tasks, Fraction), ("mean", "pass_at_1"))
    yield Summed(MEAN_ALL, whole, ("mean", "pass_at_1"))
    yield Summed(ANY, _sum(tasks, lambda passed, _: Fraction(passed > 0)), ("max", "at_least_1"))
    yield Summed(ALL, _sum(tasks, lambda passed, n: Fraction(passed == n)), ("min",))
    least = min((n for n, _ in tasks), default=0)
    for k in range(2, min(least, MOST_K, most) + 1):
        yield Summed(f"pass@{k} of each task's draws", _sum(tasks, _at_k(k)), (f"pass_at_{k}",))
    for k in range(2, min(most, MOST_DRAWS) + 1):
        name = f"tasks passed at least {k} times"
        yield Summed(name, _sum(tasks, _quorum(k)), (f"at_least_{k}",), asked=True)
    yield Summed(MEDIAN, _sum(tasks, _median), ("median",), asked=True)
    if not any(2 * passed == n for n, passed in tasks):
        yield Summed(MODE, _sum(tasks, _median), ("mode",), asked=True)


def _sum(tasks: Tasks, value: Callable[[int, int], Fraction]) -> Fraction:
    """The sum over tasks of a value of (passed, scored)."""
    return sum((value(passed, n) * many for (n, passed), many in tasks.items()), Fraction())


def _at_k(k: int) -> Callable[[int, int], Fraction]:
    def value(passed: int, n: int) -> Fraction:
        found = pass_at_k(n, passed, k)
        return found if isinstance(found, Fraction) else Fraction()

    return value


def _quorum(k: int) -> Callable[[int, int], Fraction]:
    return lambda passed, _: Fraction(passed >= k)


def _median(passed: int, n: int) -> Fraction:
    """Of verdicts: 1, 0, or half where as many passed as did not."""
    return Fraction((2 * passed > n) - (2 * passed < n) + 1, 2)


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
