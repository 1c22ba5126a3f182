"""The numbers of a pair as estimates: decimal text, with what was counted over what, by which method."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from denominator.compare.ladder import seen_from_second
from denominator.compare.measured import Measured
from denominator.compare.paired import Paired
from denominator.compare.plans import MARGIN_QUESTIONS, Plan
from denominator.records.estimates import Estimate
from denominator.records.values import NotMeasured
from denominator.stats import Interval, clustered_mean, decimal6, flip_rate, repeat_mean, wilson
from denominator.stats.decimals import Number
from denominator.stats.reruns import flip_interval

LIKE_THESE = "over tasks like these"
THESE = "on these tasks again"


def estimates(found: Measured, plan: Plan, names: tuple[str, str]) -> tuple[Estimate, ...]:
    """Rates of both arms, the difference, what these tasks again would give, the margin's interval, what is detectable."""
    paired = found.paired
    made = [
        _rate("pass_rate_a", names[0], paired.a, paired),
        _rate("pass_rate_b", names[1], paired.b, paired),
        _difference(found, plan),
        _complete(paired),
        *_again(found, plan),
        *_with_margin(found, plan, names),
        _detectable(found, plan),
    ]
    return tuple(made)


def _made(
    metric: str,
    estimand: str,
    paired: Paired,
    value: Number | NotMeasured,
    interval: Interval | NotMeasured,
    *,
    numerator: int | NotMeasured,
    denominator: int | NotMeasured,
    unit: str = "draws",
    method: str = "",
    level: Fraction = Fraction(95, 100),
    secondary: bool = True,
) -> Estimate:
    return Estimate(
        metric=metric,
        estimand=estimand,
        numerator=numerator,
        denominator=denominator,
        unit=unit,
        value=value if isinstance(value, NotMeasured) else decimal6(value),
        lo=interval if isinstance(interval, NotMeasured) else decimal6(interval.lo),
        hi=interval if isinstance(interval, NotMeasured) else decimal6(interval.hi),
        level=_level(level),
        method=method,
        n_tasks=len(paired.rows),
        repeats=paired.repeats,
        secondary=secondary,
    )


def _level(level: Fraction) -> str:
    """A level as short decimal text."""
    return decimal6(level).rstrip("0").rstrip(".")


def _rate(metric: str, name: str, passes: Sequence[int], paired: Paired) -> Estimate:
    """Passes over declared draws of one arm, tasks (or families) as units."""
    total, draws = sum(passes), paired.draws
    interval, method = rate_interval(passes, paired)
    return _made(
        metric,
        f"pass rate of {name} {LIKE_THESE}",
        paired,
        Fraction(total, draws),
        interval,
        numerator=total,
        denominator=draws,
        method=method,
    )


def rate_interval(passes: Sequence[int], paired: Paired) -> tuple[Interval | NotMeasured, str]:
    """The interval that the size and the structure of the pack ask for."""
    few = NotMeasured("one unit or none has no spread")
    if paired.clusters:
        method = "families as units; Wilson on effective draws, t-adjusted"
        many = len(set(paired.clusters)) > 1
        return (clustered_mean(passes, paired.repeats, paired.clusters).interval if many else few), method
    if paired.repeats == 1:
        return wilson(sum(passes), len(passes)), "Wilson score interval, exact normal quantile"
    method = "mean of task means; Wilson on effective draws, t-adjusted"
    return (repeat_mean(passes, paired.repeats).interval if len(passes) > 1 else few), method


def _difference(found: Measured, plan: Plan) -> Estimate:
    result = found.found
    return _made(
        "difference",
        f"pass rate A - B {LIKE_THESE}",
        found.paired,
        found.mean,
        result if isinstance(result, NotMeasured) else result.interval,
        numerator=sum(found.paired.diffs),
        denominator=found.paired.draws,
        method="" if isinstance(result, NotMeasured) else result.method,
        level=1 - plan.alpha,
        secondary=False,
    )


def _complete(paired: Paired) -> Estimate:
    """A - B over draws that have a verdict in both arms: a labelled secondary, never the headline."""
    why = NotMeasured("an interval of it would leave out what was not seen")
    metric, estimand = (
        "difference_scored_in_both",
        "pass rate A - B over tasks with a verdict for every draw of both arms",
    )
    whole = [row for row in paired.rows if not row.unseen_a and not row.unseen_b]
    if not whole:
        none = NotMeasured("no task has a verdict for every draw of both arms")
        return _made(metric, estimand, paired, none, why, numerator=none, denominator=0)
    total, draws = sum(row.passes_a - row.passes_b for row in whole), len(whole) * paired.repeats
    return _made(metric, estimand, paired, Fraction(total, draws), why, numerator=total, denominator=draws)


def _again(found: Measured, plan: Plan) -> Iterable[Estimate]:
    """What a fresh run of these same tasks would give, and how often two passes over one task differ."""
    paired, these = found.paired, found.these
    yield _made(
        "difference_these_tasks",
        f"pass rate A - B {THESE}; it says nothing of other tasks",
        paired,
        these if isinstance(these, NotMeasured) else these.mean,
        these if isinstance(these, NotMeasured) else these.interval,
        numerator=sum(paired.diffs),
        denominator=paired.draws,
        method="mean +- z times the within-task error" if paired.repeats > 1 else "",
        level=1 - plan.alpha,
    )
    for letter, passes in (("a", paired.a), ("b", paired.b)):
        rate = flip_rate(passes, paired.repeats)
        if isinstance(rate, NotMeasured):
            continue
        yield _made(
            f"flip_rate_{letter}",
            f"chance that two passes over one task differ, {THESE}",
            paired,
            rate,
            flip_interval(rate, len(passes)),
            numerator=NotMeasured("a mean over tasks"),
            denominator=len(passes),
            unit="tasks",
            method="mean of 2c(K-c)/(K(K-1)); Wilson over tasks",
        )


def _with_margin(found: Measured, plan: Plan, names: tuple[str, str]) -> Iterable[Estimate]:
    """The sealed second arm less the first, at level 1 - 2 alpha, over everything the unseen draws could be."""
    if plan.question not in MARGIN_QUESTIONS or not plan.margin:
        return
    first, second = names if plan.b_second else names[::-1]
    interval = found.margin if isinstance(found.margin, NotMeasured) else seen_from_second(found.margin, plan)
    sign = -1 if plan.b_second else 1
    word = "sealed" if plan.declared else "stated"
    yield _made(
        "difference_for_margin",
        f"pass rate {second} - {first} {LIKE_THESE}, held against the {word} margin {short_decimal(plan.margin)}",
        found.paired,
        sign * found.mean,
        interval,
        numerator=sign * sum(found.paired.diffs),
        denominator=found.paired.draws,
        method="two one-sided tests; the worst and the best case of draws without a verdict are inside",
        level=1 - 2 * plan.alpha / plan.family,
        secondary=False,
    )


def short_decimal(value: Fraction) -> str:
    """A sealed decimal as it was written, without zeros at its end."""
    return decimal6(value).rstrip("0").rstrip(".")


def _detectable(found: Measured, plan: Plan) -> Estimate:
    none = NotMeasured("a number for planning has no interval")
    return _made(
        "detectable_difference",
        "least difference that a second pack of this size would show with 80 % power: for plans, never a verdict",
        found.paired,
        found.mdd,
        none,
        numerator=NotMeasured("computed from the spread seen"),
        denominator=NotMeasured("computed from the spread seen"),
        unit="share of draws",
        method="exact McNemar power"
        if found.paired.repeats == 1
        else "t multiplier times the spread of task differences",
        level=1 - plan.alpha,
    )
