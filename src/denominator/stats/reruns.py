"""What a fresh run of these same tasks would do: within-task error and flip rate, which need K > 1 repeats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from denominator.records.values import NotMeasured
from denominator.stats.bounds import false_pass_upper
from denominator.stats.rates import LEVEL, Interval, wilson, z_quantile
from denominator.stats.repeats import by_number


@dataclass(frozen=True, slots=True)
class Rerun:
    """Rates in [0, 1], over these tasks only: it says nothing about other tasks.

    `flip_rate`: the chance that two passes over one task differ, mean over tasks. `se`: of the mean of all repeats.
    `sd_single_pass`: of the suite rate of one fresh pass. `spread95`: two fresh single passes stay within it of each
    other 95 times in 100 (1.96 * sqrt(2) * sd). `interval`: the mean over endless repeats of these tasks.
    """

    flip_rate: Fraction
    flip_interval: Interval
    se: float
    sd_single_pass: float
    spread95: float
    interval: Interval


def flip_rate(passes: Sequence[int], repeats: int) -> Fraction | NotMeasured:
    """Mean over tasks of 2c(K-c)/(K(K-1)), the share of pairs of repeats that differ; it estimates 2E[p(1-p)]."""
    tasks = by_number(passes)
    if any(not 0 <= count <= repeats for count in tasks):
        raise ValueError("needs 0..repeats passes for each task")
    if repeats < 2:
        return NotMeasured("one repeat cannot show how much repeats differ")
    if not passes:
        return NotMeasured("there is no task")
    return Fraction(
        sum(2 * c * (repeats - c) * many for c, many in tasks.items()), repeats * (repeats - 1) * len(passes)
    )


def flip_interval(rate: Fraction, tasks: int) -> Interval:
    """Wilson over tasks; a little wide for K > 2. No flip at all: Clopper-Pearson's one-sided bound, about 3/N."""
    if rate == 0:
        return Interval(0.0, false_pass_upper(tasks), "no repeat differed: the upper end is a one-sided 95% bound")
    return wilson(rate * tasks, tasks)


def rerun(passes: Sequence[int], repeats: int, level: Fraction = LEVEL) -> Rerun | NotMeasured:
    """From passes per task out of the same `repeats` each: se^2 = sum p(1-p)/(K-1)/N^2 (Miller 2024, section 3)."""
    rate = flip_rate(passes, repeats)
    if isinstance(rate, NotMeasured):
        return rate
    n, mean = len(passes), float(Fraction(sum(passes), len(passes) * repeats))
    single = sqrt(rate / 2 / n)
    se = single / sqrt(repeats)
    half = z_quantile(level) * se
    why = "" if se else f"no repeat differed in {n * repeats} runs: a width of 0 is not certainty"
    interval = Interval(max(0.0, mean - half), min(1.0, mean + half), why)
    return Rerun(rate, flip_interval(rate, n), se, single, z_quantile() * sqrt(2) * single, interval)
