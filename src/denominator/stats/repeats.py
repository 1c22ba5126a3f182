"""A suite rate with K repeats: the mean of task means, Wilson on the effective number of draws, t-adjusted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from denominator.stats.rates import Interval, wilson, z_quantile
from denominator.stats.student import t_quantile


@dataclass(frozen=True, slots=True)
class RepeatMean:
    """The mean of task means, the effective number of draws before and after the t adjustment, the interval."""

    mean: Fraction
    n_eff: Fraction
    n_eff_t: float
    interval: Interval


def _moments(passes: Sequence[int], draws: Sequence[int]) -> tuple[Fraction, Fraction]:
    """The mean of task rates and its variance over tasks (divisor N^2); whole numbers until the end where repeats are even."""
    n, repeats = len(passes), draws[0]
    if all(one == repeats for one in draws):
        total = sum(passes)
        squares = sum((n * k - total) ** 2 for k in passes)
        return Fraction(total, n * repeats), Fraction(squares, (n * n * repeats) ** 2)
    rates = [Fraction(k, d) for k, d in zip(passes, draws, strict=True)]
    mean = sum(rates, Fraction(0)) / n
    return mean, sum(((rate - mean) ** 2 for rate in rates), Fraction(0)) / (n * n)


def effective_n(mean: Fraction, variance: Fraction, tasks: int, draws: int) -> Fraction:
    """m(1-m) over the variance of the mean of task rates, kept between the number of tasks and the number of draws."""
    if variance == 0:
        return Fraction(tasks if mean in (0, 1) else draws)
    return min(max(mean * (1 - mean) / variance, Fraction(tasks)), Fraction(draws))


def repeat_mean(passes: Sequence[int], repeats: int) -> RepeatMean:
    """Passes per task out of the same `repeats` each. Raises ValueError for fewer than two tasks or a bad count."""
    return uneven_mean(passes, [repeats] * len(passes))


def uneven_mean(passes: Sequence[int], draws: Sequence[int]) -> RepeatMean:
    """The mean of task rates where task i passed `passes[i]` of `draws[i]`: each task counts once.

    Raises ValueError for fewer than two tasks, a task without a draw, or a count outside 0..draws.
    """
    n = len(passes)
    if n < 2 or any(not 0 <= k <= d or d < 1 for k, d in zip(passes, draws, strict=True)):
        raise ValueError("needs at least two tasks with 0..draws passes each")
    mean, variance = _moments(passes, draws)
    n_eff = effective_n(mean, variance, n, sum(draws))
    n_eff_t = float(n_eff) * (z_quantile() / t_quantile(0.975, n - 1)) ** 2
    return RepeatMean(mean, n_eff, n_eff_t, wilson(float(mean) * n_eff_t, n_eff_t))
