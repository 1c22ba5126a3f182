"""The numbers of one pair: rates, difference, tests, bounds, planning. Nothing here decides what may be said."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from statistics import stdev

from denominator.compare.paired import Paired
from denominator.compare.plans import Plan
from denominator.compare.worst_case import Outer, outer
from denominator.records.values import NotMeasured
from denominator.stats import (
    Interval,
    PairedMean,
    PairedResult,
    compare_paired,
    e_value,
    least_difference,
    mcnemar,
    mdd_floored,
    mdd_from_data,
    min_discordant,
    sign_counts,
    sign_flip,
    stratified,
    these_tasks,
)
from denominator.stats.exact_laws import ExactP


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured of a pair, A minus B. `margin` is the interval at level 1 - 2 alpha (over the family).

    `these` and `on_pack` speak of exactly these tasks and need repeats; `e` is evidence that may be looked at early.
    """

    paired: Paired
    mean: Fraction
    found: PairedResult | NotMeasured
    flip: ExactP
    sign_p: Fraction
    on_pack: ExactP | NotMeasured
    these: PairedMean | NotMeasured
    worst: Outer | NotMeasured
    margin: Interval | NotMeasured
    mdd: Fraction | float | NotMeasured
    e: Fraction | NotMeasured
    discordant_least: int

    @property
    def differing(self) -> int:
        """Tasks on which the arms differ."""
        return sum(d != 0 for d in self.paired.diffs)


ONE_REPEAT = NotMeasured("one repeat cannot show how much repeats differ")
NO_LOOK = NotMeasured("no look was taken")


def measure(paired: Paired, plan: Plan) -> Measured:
    """Everything of one pair under its plan: the declared test, else the exact one at 0.05."""
    more_a, more_b = sign_counts(paired.diffs)
    return Measured(
        paired=paired,
        mean=Fraction(sum(paired.diffs), paired.draws),
        found=result_of(paired, plan.alpha, midp=plan.midp),
        flip=sign_flip(_units(paired)),
        sign_p=mcnemar(more_a, more_b),
        on_pack=stratified(paired.a, paired.b, paired.repeats) if paired.repeats > 1 else ONE_REPEAT,
        these=these_tasks(paired.a, paired.b, paired.repeats, 1 - plan.alpha),
        worst=outer(paired, plan.alpha, midp=plan.midp),
        margin=_margin(paired, plan),
        mdd=_mdd(paired, plan),
        e=_evidence(paired, plan),
        discordant_least=min_discordant(plan.alpha, midp=plan.midp),
    )


def result_of(paired: Paired, alpha: Fraction, *, midp: bool) -> PairedResult | NotMeasured:
    """The default interval and test of the pair, clusters as units where tasks share one."""
    return compare_paired(paired.a, paired.b, paired.repeats, alpha, midp=midp, clusters=paired.clusters or None)


def _units(paired: Paired) -> tuple[int, ...]:
    """Differences per unit: a cluster of tasks, or a task."""
    if not paired.clusters:
        return paired.diffs
    sums: dict[str, int] = {}
    for name, diff in zip(paired.clusters, paired.diffs, strict=True):
        sums[name] = sums.get(name, 0) + diff
    return tuple(sums.values())


def _margin(paired: Paired, plan: Plan) -> Interval | NotMeasured:
    """The interval over everything the unseen draws could be: two one-sided tests at alpha, shared out over the family."""
    found = outer(paired, 2 * plan.alpha / plan.family, midp=plan.midp)
    return found if isinstance(found, NotMeasured) else found.interval


def _mdd(paired: Paired, plan: Plan) -> Fraction | float | NotMeasured:
    """What a second pack of this size would resolve at 80 % power: a number for planning, never a verdict.

    Alpha is shared out over the declared family, as the verdict does at its first step.
    """
    n, alpha = len(paired.rows), plan.alpha / plan.family
    if paired.clusters:
        return NotMeasured("tasks share families: plan with clusters as units")
    if paired.repeats > 1:
        spread = spread_of(paired)
        return spread if isinstance(spread, NotMeasured) else mdd_floored(n, spread, 1 - alpha)
    discordant = sum(d != 0 for d in paired.diffs)
    if not discordant:
        return NotMeasured("no task differs, which is not a resolution of 0")
    return least_difference(n, Fraction(discordant, n), alpha=alpha, midp=plan.midp)


def spread_of(paired: Paired) -> float | NotMeasured:
    """The standard deviation of a task's difference; not measured where all agree, which is no certainty."""
    rates = [d / paired.repeats for d in paired.diffs]
    why = mdd_from_data(rates)
    return why if isinstance(why, NotMeasured) else stdev(rates)


def _evidence(paired: Paired, plan: Plan) -> Fraction | NotMeasured:
    if not plan.looks:
        return NO_LOOK
    if paired.repeats > 1 or paired.clusters:
        return NotMeasured("with repeats or families there is no evidence that may be looked at early")
    return e_value(*sign_counts(paired.diffs))
