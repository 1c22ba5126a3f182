"""What would lift a comparison by one rung, in numbers where numbers can say it."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import ceil

from denominator.compare.ladder import Climb
from denominator.compare.measured import Measured
from denominator.compare.plans import MARGIN_QUESTIONS, Plan
from denominator.records.comparisons import Comparability
from denominator.records.values import NotMeasured
from denominator.records.words import Rung
from denominator.stats import connor, mcnemar, mcnemar_midp, sign_counts, tasks_needed

EXACT_BELOW = 120
MOST = 20_000
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
    if isinstance(found.found, NotMeasured):
        return
    if found.found.differing < found.discordant_least or "the exact test does not reach its level" in got.stops:
        more = more_discordant(found, plan)
        unit = "cluster" if found.paired.clusters else "task"
        yield f"{more} more discordant {unit}{'' if more == 1 else 's'}, all in the same direction"
    larger = tuple(_more_tasks(found, plan))
    yield from larger
    if not larger and "the interval contains 0" in got.stops and found.found.differing >= found.discordant_least:
        yield "more tasks, until the interval does not contain 0"
    if found.paired.unseen:
        yield f"a verdict for the {found.paired.unseen} draws without one (re-run them under the sealed retry policy)"


def more_discordant(found: Measured, plan: Plan) -> int:
    """How many further units that differ, all as most do now, until the sign test of the declared kind reaches its level."""
    test = mcnemar_midp if plan.midp else mcnemar
    few, many = sorted(sign_counts(_unit_diffs(found)))
    more = 0
    while test(many + more, few) * plan.family > plan.alpha:
        more += 1
    return more or 1


def _unit_diffs(found: Measured) -> tuple[int, ...]:
    if not found.paired.clusters:
        return found.paired.diffs
    sums: dict[str, int] = {}
    for name, diff in zip(found.paired.clusters, found.paired.diffs, strict=True):
        sums[name] = sums.get(name, 0) + diff
    return tuple(sums.values())


def _more_tasks(found: Measured, plan: Plan) -> Iterable[str]:
    """Tasks until a difference of this size is found with 80 % power, by the exact law at K = 1, else by the spread seen."""
    n, repeats = len(found.paired.rows), found.paired.repeats
    if not found.mean or found.paired.clusters or plan.question in MARGIN_QUESTIONS:
        return
    needed, exact = _needed(found, plan, n, repeats)
    if isinstance(needed, int) and needed > MOST:
        yield f"more than {MOST} tasks at K = {repeats} would be needed for a difference of this size"
    elif isinstance(needed, int) and needed > n:
        about = "" if exact else "about "
        yield f"{about}{needed - n} more tasks at K = {repeats}, if they differ as these do (80 % power; a plan, not a promise)"


def _needed(found: Measured, plan: Plan, n: int, repeats: int) -> tuple[int | NotMeasured, bool]:
    """Tasks in all, and whether by the exact law: where hundreds are needed the normal formula is near enough, and quick."""
    if repeats > 1:
        if isinstance(found.mdd, NotMeasured):
            return found.mdd, False
        # The detectable difference shrinks with the root of the number of tasks.
        return ceil(n * (float(found.mdd) / float(abs(found.mean))) ** 2), True
    psi, delta = Fraction(found.differing, n), abs(found.mean)
    roughly = ceil(connor(psi, delta, level=1 - plan.alpha))
    if roughly > EXACT_BELOW:
        return roughly, False
    return tasks_needed(psi, delta, alpha=plan.alpha), True


def _declare(plan: Plan, comparable: Comparability) -> Iterable[str]:
    """What must stand in the envelope before the next run."""
    if not comparable.treatment or not comparable.declared_before:
        yield "seal a treatment field"
    if not plan.declared:
        yield "declare a primary comparison before the run"
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
