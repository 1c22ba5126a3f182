"""Planning with K repeats: least detectable difference and number of tasks from variance components.

Variances are of per-task rates: `omega2` of the true difference between tasks, `flip` the flip rate of one arm, which is
2 E[p(1-p)]. Normal-theory formulas, for plans only.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from statistics import fmean, stdev

from denominator.records.values import NotMeasured
from denominator.stats.power import POWER
from denominator.stats.rates import LEVEL, z_quantile
from denominator.stats.student import t_quantile


def mdd_multiplier(n: int | None = None, level: Fraction = LEVEL, power: Fraction = POWER) -> float:
    """Standard errors between 0 and what is found with that power: 2.8016 normally, with t_(n-1) for n tasks."""
    if n is None:
        return z_quantile(level) + z_quantile(2 * power - 1)
    return t_quantile(float((1 + level) / 2), n - 1) + t_quantile(float(power), n - 1)


def mdd_repeats(n: int, repeats: int, flip_a: float, flip_b: float, omega2: float, *, normal: bool = False) -> float:
    """multiplier * sqrt((omega2 + (flip_a + flip_b)/2/K) / N) at 95% and power 80%, a difference in [0, 1]."""
    if n < 2 or repeats < 1 or min(flip_a, flip_b, omega2) < 0:
        raise ValueError("needs two tasks, one repeat, and variances that are not negative")
    return mdd_multiplier(None if normal else n) * sqrt((omega2 + (flip_a + flip_b) / 2 / repeats) / n)


def miller(
    delta: float,
    omega2: float,
    within_a: float,
    within_b: float,
    repeats_a: int = 1,
    repeats_b: int = 1,
    level: Fraction = LEVEL,
    power: Fraction = POWER,
) -> float:
    """Tasks: (z + z')^2 (omega2 + s_A^2/K_A + s_B^2/K_B) / delta^2 (Miller 2024, section 5); round up."""
    if delta == 0 or min(repeats_a, repeats_b) < 1:
        raise ValueError("needs a difference that is not 0, and repeats")
    variance = omega2 + within_a / repeats_a + within_b / repeats_b
    return (mdd_multiplier(None, level, power) / delta) ** 2 * variance


def mdd_from_data(diffs: Sequence[float], *, normal: bool = False) -> float | NotMeasured:
    """What a second pack of this size would resolve, from the spread of per-task differences seen in a pilot."""
    if len(diffs) < 2:
        return NotMeasured("one task or none has no spread")
    if max(diffs) == min(diffs):
        return NotMeasured("all differences agree, which is not a resolution of 0; see the interval with 0 discordant")
    multiplier = mdd_multiplier(None if normal else len(diffs))
    return multiplier * stdev(diffs, fmean(diffs)) / sqrt(len(diffs))


def mdd_floored(n: int, spread: float, level: Fraction = LEVEL, power: Fraction = POWER) -> float | NotMeasured:
    """What the default verdict finds with that power: `spread` is the standard deviation of a task's difference.

    The mean has to exceed half its interval, whose sum of squares is at least one full swing (STATISTICS 7), and lies
    t' errors above that. Not measured where no difference in [-1, 1] can.
    """
    if n < 2:
        return NotMeasured("one task or none has no spread")
    error = spread / sqrt(n)
    bar = t_quantile(float((1 + level) / 2), n - 1) * max(error, sqrt(1 / (n * (n - 1))))
    found = bar + t_quantile(float(power), n - 1) * error
    return found if found <= 1 else NotMeasured(f"{n} tasks cannot reach this power even if all of them differ")


def tasks_floored(
    difference: float, spread: float, most: int, level: Fraction = LEVEL, power: Fraction = POWER
) -> int | NotMeasured:
    """The fewest tasks whose `mdd_floored` is at most the difference, which shrinks with every task."""

    def enough(n: int) -> bool:
        found = mdd_floored(n, spread, level, power)
        return not isinstance(found, NotMeasured) and found <= difference

    high = 2
    while not enough(high):
        if high >= most:
            return NotMeasured(f"more than {most} tasks")
        high = min(most, 2 * high)
    low = 2
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle + 1, high)
    return low
