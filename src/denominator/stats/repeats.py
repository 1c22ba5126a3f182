"""A suite rate with K repeats: the mean of task means, Wilson on the effective number of draws, t-adjusted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
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


def _moments(tasks: Mapping[tuple[int, int], int]) -> tuple[Fraction, Fraction]:
    """The mean of task rates and its variance over tasks (divisor N^2); given is how many tasks have such (passes, draws)."""
    n = sum(tasks.values())
    rates = [(Fraction(k, d), many) for (k, d), many in tasks.items()]
    mean = sum((rate * many for rate, many in rates), Fraction(0)) / n
    return mean, sum(((rate - mean) ** 2 * many for rate, many in rates), Fraction(0)) / (n * n)


def effective_n(mean: Fraction, variance: Fraction, tasks: int, draws: int) -> Fraction:
    """m(1-m) over the variance of the mean of task rates, kept between the number of tasks and the number of draws."""
    if variance == 0:
        return Fraction(tasks if mean in (0, 1) else draws)
    return min(max(mean * (1 - mean) / variance, Fraction(tasks)), Fraction(draws))


def repeat_mean(passes: Sequence[int], repeats: int) -> RepeatMean:
    """Passes per task out of the same `repeats` each. Raises ValueError for fewer than two tasks or a bad count."""
    return _mean({(count, repeats): tasks for count, tasks in by_number(passes).items()}, len(passes) * repeats)


def by_number(counts: Sequence[int]) -> Mapping[int, int]:
    """How many entries there are of each number; bytes are counted without an object for any of them."""
    if isinstance(counts, bytes):
        return {value: many for value in range(max(counts, default=-1) + 1) if (many := counts.count(value))}
    return Counter(counts)


def uneven_mean(passes: Sequence[int], draws: Sequence[int]) -> RepeatMean:
    """The mean of task rates where task i passed `passes[i]` of `draws[i]`: each task counts once.

    Raises ValueError for fewer than two tasks, a task without a draw, or a count outside 0..draws.
    """
    return _mean(Counter(zip(passes, draws, strict=True)), sum(draws))


def _mean(tasks: Mapping[tuple[int, int], int], draws: int) -> RepeatMean:
    """The same of how many tasks have such (passes, draws)."""
    n = sum(tasks.values())
    if n < 2 or any(not 0 <= k <= d or d < 1 for k, d in tasks):
        raise ValueError("needs at least two tasks with 0..draws passes each")
    mean, variance = _moments(tasks)
    n_eff = effective_n(mean, variance, n, draws)
    n_eff_t = float(n_eff) * (z_quantile() / t_quantile(0.975, n - 1)) ** 2
    return RepeatMean(mean, n_eff, n_eff_t, wilson(float(mean) * n_eff_t, n_eff_t))
