"""What would lift a comparison by one rung, in numbers where numbers can say it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import ceil

from denominator.compare.ladder import Climb
from denominator.compare.measured import Measured, spread_of
from denominator.compare.paired import Paired
from denominator.compare.plans import MARGIN_QUESTIONS, NO_SEAL, Plan
from denominator.records.comparisons import Comparability
from denominator.records.values import NotMeasured, counted
from denominator.records.words import Rung
from denominator.stats import by_cluster, compare_paired, connor, e_value, sign_counts, tasks_floored, tasks_needed

EXACT_BELOW = 120
MOST = 20_000
MOST_UNITS = 1024
WORST = "the worst case over draws"
EVIDENCE = ("cannot be established at this N", "the exact test", "the interval contains 0", "the e-value", WORST)
"""Stops of the ladder that tasks which differ can lift."""
TOP = (Rung.TASKS_LIKE_THESE, Rung.EQUIVALENT)


def lifts(
    found: Measured, plan: Plan, comparable: Comparability, got: Climb, steps: Iterable[str] = ()
) -> tuple[str, ...]:
    """One line per step, evidence first, then what has to be written before the next run.

    `steps` are what the rules that lower a side to counts ask for.
    """
    if got.rung is Rung.COUNTS:
        told = tuple(dict.fromkeys(steps))
        return (*(told or got.stops), *_declare(plan, comparable))
    if got.rung in TOP or (got.rung is Rung.NOT_WORSE and plan.question == "non_inferior"):
        return ()
    return tuple(dict.fromkeys((*_evidence(found, plan, got), *_declare(plan, comparable), *_rest(got))))


def _evidence(found: Measured, plan: Plan, got: Climb) -> Iterable[str]:
    """What the draws themselves lack. A question about a margin is not answered by tasks that differ."""
    if isinstance(found.found, NotMeasured):
        return
    of_margin = plan.question in MARGIN_QUESTIONS
    told = () if of_margin else tuple(_differing(found, plan, got))
    yield from told
    if not told and not of_margin and "the interval contains 0" in got.stops:
        yield "more tasks, until the interval does not contain 0"
    if found.paired.unseen:
        yield f"a verdict for the {counted(found.paired.unseen, 'draw')} without one (re-run them under the sealed retry policy)"


def _differing(found: Measured, plan: Plan, got: Climb) -> Iterable[str]:
    if not any(one.startswith(EVIDENCE) for one in got.stops):
        return
    more = more_discordant(found, plan)
    if more is not None:
        count, apart, size = more
        unit = "cluster" if found.paired.clusters else "task"
        of = f", each {apart} of {size * found.paired.repeats} passes apart" if size * found.paired.repeats > 1 else ""
        yield f"{count} more discordant {unit}{'' if count == 1 else 's'}, all in the same direction{of}"
    if not plan.looks and not any(one.startswith(WORST) for one in got.stops):
        yield from _more_tasks(found, plan)


def more_discordant(found: Measured, plan: Plan) -> tuple[int, int, int] | None:
    """How many further units that differ as those in front do, until test and interval both establish the difference.

    (units, passes apart, tasks of such a unit), draws without a verdict counted against it; None where `MOST_UNITS`
    are not enough. A unit of the middle size among those in front is what is added, so that the test is the real one.
    """
    sign = 1 if found.mean >= 0 else -1
    base = found.paired.filled(False, True) if sign > 0 else found.paired.filled(True, False)
    names = base.clusters or tuple(row.task_id for row in base.rows)
    groups = by_cluster([sign * d for d in base.diffs], names)
    ahead = sorted(total for total in groups.sums if total > 0)
    size = sorted(groups.sizes)[(len(groups.sizes) - 1) // 2]
    apart = ahead[(len(ahead) - 1) // 2] if ahead else size * base.repeats
    size = max(size, -(-apart // base.repeats))
    more = _fewest(lambda count: _would_establish(base, names, sign, (count, apart, size), plan))
    return None if more is None else (more, apart, size)


def _would_establish(base: Paired, names: tuple[str, ...], sign: int, added: tuple[int, int, int], plan: Plan) -> bool:
    """The verdict with `added` (units, passes apart, tasks in each) put to the draws."""
    count, apart, size = added
    unit = [min(base.repeats, max(0, apart - at * base.repeats)) for at in range(size)]
    front, back = (base.a, base.b) if sign > 0 else (base.b, base.a)
    front, back = (*front, *unit * count), (*back, *[0] * (size * count))
    clusters = (*names, *(f"added {one}" for one in range(count) for _ in unit)) if base.clusters else None
    result = compare_paired(front, back, base.repeats, plan.alpha, midp=plan.midp, clusters=clusters)
    if isinstance(result, NotMeasured) or result.interval.lo <= 0:
        return False
    if plan.looks:
        few = sign_counts([x - y for x, y in zip(front, back, strict=True)])
        return base.repeats == 1 and not clusters and e_value(*few) * plan.alpha >= plan.family
    return result.p * plan.family <= plan.alpha


def _fewest(holds: Callable[[int], bool]) -> int | None:
    """The first number from 1 on with which it holds."""
    high = 1
    while not holds(high):
        if high >= MOST_UNITS:
            return None
        high *= 2
    low = high // 2 + 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return high


def _more_tasks(found: Measured, plan: Plan) -> Iterable[str]:
    """Tasks until a difference of this size is found with 80 % power, by the exact law at K = 1, else by the spread seen."""
    n, repeats = len(found.paired.rows), found.paired.repeats
    if not found.mean or found.paired.clusters:
        return
    needed, exact = _needed(found, plan, n, repeats)
    if isinstance(needed, int) and n < needed <= MOST:
        about = "" if exact else "about "
        yield f"{about}{needed - n} more tasks at K = {repeats}, if they differ as these do (80 % power; a plan, not a promise)"
    elif isinstance(needed, NotMeasured) or needed > MOST:
        yield f"more than {MOST} tasks at K = {repeats} would be needed for a difference of this size"


def _needed(found: Measured, plan: Plan, n: int, repeats: int) -> tuple[int | NotMeasured, bool]:
    """Tasks in all, and whether by the exact law: where hundreds are needed the normal formula is near enough, and quick.

    Alpha is shared out over the declared family, and the test is the declared one.
    """
    alpha = plan.alpha / plan.family
    if repeats > 1:
        spread = spread_of(found.paired)
        # With no spread to go by, nothing can be said of how many: no line is better than a wrong one.
        return (n if isinstance(spread, NotMeasured) else _by_spread(found, plan, spread, alpha)), True
    psi, delta = Fraction(found.differing, n), abs(found.mean)
    roughly = ceil(connor(psi, delta, level=1 - alpha))
    if roughly > EXACT_BELOW:
        return roughly, False
    return tasks_needed(psi, delta, alpha=alpha, midp=plan.midp), True


def _by_spread(found: Measured, plan: Plan, spread: float, alpha: Fraction) -> int | NotMeasured:
    """Enough tasks for the interval, and for the exact test: even with all of one sign it takes a least number that differ."""
    of_interval = tasks_floored(float(abs(found.mean)), spread, MOST, 1 - alpha)
    psi = Fraction(found.differing, len(found.paired.rows))
    of_test = tasks_needed(psi, psi, alpha=alpha, midp=plan.midp)
    if isinstance(of_interval, NotMeasured) or isinstance(of_test, NotMeasured):
        return of_interval if isinstance(of_interval, NotMeasured) else of_test
    return max(of_interval, of_test)


def _declare(plan: Plan, comparable: Comparability) -> Iterable[str]:
    """What must stand in the envelope before the next run."""
    if not comparable.treatment or not comparable.declared_before:
        yield "seal a treatment field"
    if not plan.declared:
        yield "declare a primary comparison before the run"
        if plan.why == NO_SEAL:
            yield "run both sides under that envelope: only a seal shows what came first"
    elif plan.question in MARGIN_QUESTIONS and not plan.margin:
        yield "seal a margin"


def _rest(got: Climb) -> Iterable[str]:
    for stop in got.stops:
        if stop.startswith("not stated by a side: "):
            yield f"state it in both manifests: {stop.removeprefix('not stated by a side: ')}"
        elif "looked at" in stop and "declared" in stop:
            yield "declare the looks before the run, or do not look"
        elif stop.startswith(("margin: the interval", "margin: the upper")):
            yield "more tasks, until the interval is inside the sealed margin"
