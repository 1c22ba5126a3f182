"""How many tasks and repeats resolve a difference, with which power, at which cost; and which sizes cannot answer.

One draw a task: exact power of McNemar's test at a share `psi` of discordant tasks. With K repeats: the paired t formula
(t + t') sqrt((omega2 + flip/K) / N), `omega2` the variance of the true difference between tasks, `flip` the flip rate of
either arm; the interval is never narrower than the verdict's own floor of one full swing. Both are numbers for planning:
a verdict is an interval and a test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, sqrt

from denominator.planning import reach
from denominator.records.designs import Cell, Count, Design, Given, Least, Number
from denominator.records.values import NotMeasured, counted
from denominator.stats import decimal6, least_difference, mcnemar_power, mdd_multiplier, min_discordant, tasks_needed
from denominator.stats.discordant import ALPHA
from denominator.stats.power import POWER
from denominator.stats.rates import z_quantile
from denominator.stats.student import t_quantile, t_upper

ARMS = 2
TASKS = (8, 12, 16, 20, 30, 40, 60, 100, 200)
REPEATS = (1, 3, 5, 10)
FEW = 12
"""At one repeat a comparison of no more tasks than this is refused when it is planned."""
MOST = 20_000
ESTIMANDS = (
    "tasks like these: what would be found on other tasks drawn as these were; repeats shrink only a part of its error, "
    "so spend on tasks once there are about 5",
    "these tasks again: what a fresh run of exactly these tasks would do; repeats shrink all of its error, and it says "
    "nothing of other tasks",
)
UNKNOWN_TOKENS = NotMeasured("tokens per attempt are not known")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a plan is asked. `difference` 0: only about a margin. `tasks` 0: no size was named. `margin` 0: none."""

    difference: Fraction = Fraction(0)
    psi: Fraction = Fraction(20, 100)
    flip: Fraction = Fraction(20, 100)
    omega2: Fraction = Fraction(2, 100)
    power: Fraction = POWER
    alpha: Fraction = ALPHA
    midp: bool = False
    tasks: int = 0
    repeats: int = 0
    tokens: Count = UNKNOWN_TOKENS
    margin: Fraction = Fraction(0)
    question: str = "equivalent"


def design(asked: Asked, given: Sequence[Given] = ()) -> Design:
    """The table, the least sizes, the asked size, and why it cannot answer, if so."""
    repeats = (asked.repeats,) if asked.repeats else REPEATS
    sizes = sorted({*TASKS, *((asked.tasks,) if asked.tasks else ())})
    least = tuple(_leasts(asked, repeats))
    return Design(
        given=tuple(given),
        cells=tuple(cell(asked, n, k) for n in sizes for k in repeats),
        least=least,
        asked=cell(asked, asked.tasks, asked.repeats or 1)
        if asked.tasks
        else NotMeasured("no number of tasks was named"),
        refusals=tuple(refusals(asked, least)),
        estimands=ESTIMANDS,
        notes=tuple(_notes(asked, repeats)),
    )


def cell(asked: Asked, tasks: int, repeats: int) -> Cell:
    """One size of the table."""
    attempts = tasks * repeats * ARMS
    return Cell(
        tasks=tasks,
        repeats=repeats,
        mdd=_text(least_found(asked, tasks, repeats)),
        mdd_these=_text(_these(asked, tasks, repeats)),
        power=_text(power_at(asked, tasks, repeats)),
        attempts=attempts,
        tokens=_times(attempts, asked.tokens),
    )


def least_found(asked: Asked, tasks: int, repeats: int) -> Fraction | float | NotMeasured:
    """The least detectable difference; not measured where none is, whatever happens."""
    floor = reach.exact_test(tasks, asked.alpha, midp=asked.midp)
    if floor:
        return NotMeasured(floor)
    if repeats == 1:
        return least_difference(tasks, asked.psi, asked.power, asked.alpha, midp=asked.midp)
    error = _error(asked, tasks, repeats, asked.omega2)
    found = _bar(asked, tasks, error) + t_quantile(float(asked.power), tasks - 1) * error
    size = counted(tasks, "task")
    return found if found <= 1 else NotMeasured(f"{size} cannot reach this power even if all of them differ")


def power_at(asked: Asked, tasks: int, repeats: int) -> float | NotMeasured:
    """The chance that the asked difference is found."""
    if not asked.difference:
        return NotMeasured("no difference was asked for")
    if reach.exact_test(tasks, asked.alpha, midp=asked.midp):
        return 0.0
    if repeats == 1:
        return mcnemar_power(tasks, asked.psi, asked.difference, asked.alpha, midp=asked.midp)
    error = _error(asked, tasks, repeats, asked.omega2)
    ahead = float(asked.difference) - _bar(asked, tasks, error)
    if error == 0:
        return 1.0 if ahead > 0 else 0.0
    return 1 - t_upper(ahead / error, tasks - 1)


def least_tasks(asked: Asked, repeats: int) -> int | NotMeasured:
    """The fewest tasks that find the asked difference with the asked power."""
    if repeats == 1:
        return tasks_needed(asked.psi, asked.difference, asked.power, asked.alpha, MOST, midp=asked.midp)
    low = min_discordant(asked.alpha, midp=asked.midp)
    return _first(lambda n: _finds(asked, n, repeats), low)


def margin_tasks(asked: Asked, repeats: int) -> int | NotMeasured:
    """The fewest tasks that show equivalence, or non-inferiority, within the margin when the arms do not differ.

    ((z + z') / margin)^2 times the variance of a task's difference, and no fewer than two arms that never differ take.
    """
    variance = asked.psi if repeats == 1 else asked.omega2 + asked.flip / repeats
    ahead = asked.power if asked.question == "equivalent" else 2 * asked.power - 1
    bar = z_quantile(1 - 2 * asked.alpha) + z_quantile(ahead)
    normal = ceil((bar / float(asked.margin)) ** 2 * float(variance))
    floor = _first(lambda n: not reach.equivalence(n, repeats, asked.margin, asked.alpha), 2)
    if isinstance(floor, NotMeasured) or normal > MOST:
        return NotMeasured(f"more than {MOST} tasks")
    return max(normal, floor)


def refusals(asked: Asked, least: Sequence[Least] = ()) -> Iterable[str]:
    """Why the asked design cannot answer what it is asked."""
    if asked.difference and asked.tasks:
        yield from _difference_refusals(asked)
    elif asked.difference and all(isinstance(one.tasks, NotMeasured) for one in least if one.what == "difference"):
        yield f"no number of tasks up to {MOST} finds a difference of {_short(asked.difference)} with this power"
    if asked.margin and asked.tasks:
        yield from reach.unreachable(reach.equivalence(asked.tasks, asked.repeats or 1, asked.margin, asked.alpha))


def _difference_refusals(asked: Asked) -> Iterable[str]:
    n, repeats = asked.tasks, asked.repeats or 1
    floor = reach.exact_test(n, asked.alpha, midp=asked.midp)
    if floor:
        yield floor
    if repeats == 1 and n <= FEW:
        size = "1 task with one repeat compares nothing" if n == 1 else f"{n} tasks with one repeat compare nothing"
        yield f"{size}: no comparison of {FEW} tasks or fewer is planned at one repeat"
    yield from reach.unreachable(
        reach.difference_floor(n, asked.difference, asked.alpha, midp=asked.midp, repeats=repeats)
    )
    found = least_found(asked, n, repeats)
    if isinstance(found, NotMeasured):
        if not floor:
            yield found.not_measured
        return
    power = power_at(asked, n, repeats)
    if isinstance(power, float) and power < asked.power:
        needed = least_tasks(asked, repeats)
        takes = (
            f"; it takes {counted(needed, 'task')}" if isinstance(needed, int) else f"; it takes {needed.not_measured}"
        )
        yield (
            f"{_size(n, repeats)} find a difference of {_short(asked.difference)} with power {decimal6(power)[:-3]}, below "
            f"{_short(asked.power)}{takes}"
        )


def _leasts(asked: Asked, repeats: Sequence[int]) -> Iterable[Least]:
    for k in repeats:
        if asked.difference:
            how = "exact power of McNemar's test" if k == 1 else "paired t formula"
            yield _least(asked, "difference", k, least_tasks(asked, k), how)
        if asked.margin:
            yield _least(
                asked, "margin", k, margin_tasks(asked, k), "normal formula, and not below the bound of no difference"
            )


def _least(asked: Asked, what: str, repeats: int, tasks: int | NotMeasured, method: str) -> Least:
    attempts: Count = tasks if isinstance(tasks, NotMeasured) else tasks * repeats * ARMS
    tokens = attempts if isinstance(attempts, NotMeasured) else _times(attempts, asked.tokens)
    return Least(what=what, repeats=repeats, tasks=tasks, attempts=attempts, tokens=tokens, method=method)


def _notes(asked: Asked, repeats: Sequence[int]) -> Iterable[str]:
    yield "planning numbers, from what was assumed: a verdict is an interval and an exact test, never a difference above this"
    n = asked.tasks or 40
    if any(k > 1 for k in repeats) and asked.omega2 and not reach.exact_test(n, asked.alpha, midp=asked.midp):
        floor = mdd_multiplier(n, 1 - asked.alpha, asked.power) * sqrt(float(asked.omega2) / n)
        yield f"however many repeats, {counted(n, 'task')} find no less than {decimal6(floor)[:-3]} over tasks like these"
    if isinstance(asked.tokens, NotMeasured):
        yield f"the cost in tokens is unknown: {asked.tokens.not_measured}"
    if 1 in repeats:
        yield "exact power goes up and down a little with the number of tasks: the least number holds for the next 20 too"


def _finds(asked: Asked, tasks: int, repeats: int) -> bool:
    found = least_found(asked, tasks, repeats)
    return not isinstance(found, NotMeasured) and found <= asked.difference


def _first(holds: Callable[[int], bool], low: int) -> int | NotMeasured:
    """The first number from `low` on with which it holds, and then for all larger ones."""
    high = low
    while not holds(high):
        if high >= MOST:
            return NotMeasured(f"more than {MOST} tasks")
        high = min(MOST, 2 * high)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def _error(asked: Asked, tasks: int, repeats: int, between: Fraction) -> float:
    """Standard error of the mean difference over tasks."""
    return sqrt(float(between + asked.flip / repeats) / tasks)


def _bar(asked: Asked, tasks: int, error: float) -> float:
    """What a mean difference must exceed: half its interval, which is never narrower than one full swing makes it."""
    return max(t_quantile(float(1 - asked.alpha / 2), tasks - 1) * error, reach.interval_floor(tasks, asked.alpha))


def _these(asked: Asked, tasks: int, repeats: int) -> float | NotMeasured:
    """The same on exactly these tasks: only what repeats of one task differ by is left."""
    if repeats == 1:
        return NotMeasured("one repeat says nothing of these tasks again")
    found = mdd_multiplier(None, 1 - asked.alpha, asked.power) * _error(asked, tasks, repeats, Fraction(0))
    return min(1.0, found)


def _times(attempts: int, tokens: Count) -> Count:
    return attempts * tokens if isinstance(tokens, int) else tokens


def _size(tasks: int, repeats: int) -> str:
    return f"{counted(tasks, 'task')} x {counted(repeats, 'repeat')}"


def _short(value: Fraction) -> str:
    return decimal6(value).rstrip("0").rstrip(".")


def _text(value: Fraction | float | NotMeasured) -> Number:
    return value if isinstance(value, NotMeasured) else decimal6(value)
