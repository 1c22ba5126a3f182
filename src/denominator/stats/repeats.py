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


def effective_n(passes: Sequence[int], repeats: int) -> Fraction:
    """m(1-m) over the variance of the mean of task means, kept between N and N*K."""
    n, total = len(passes), sum(passes)
    mean = Fraction(total, n * repeats)
    variance = Fraction(sum((n * k - total) ** 2 for k in passes), (n * n * repeats) ** 2)
    if variance == 0:
        return Fraction(n if mean in (0, 1) else n * repeats)
    return min(max(mean * (1 - mean) / variance, Fraction(n)), Fraction(n * repeats))


def repeat_mean(passes: Sequence[int], repeats: int) -> RepeatMean:
    """Passes per task out of the same `repeats` each. Raises ValueError for fewer than two tasks or a bad count."""
    n = len(passes)
    if n < 2 or repeats < 1 or any(not 0 <= k <= repeats for k in passes):
        raise ValueError("needs at least two tasks with 0..repeats passes each")
    mean = Fraction(sum(passes), n * repeats)
    n_eff = effective_n(passes, repeats)
    n_eff_t = float(n_eff) * (z_quantile() / t_quantile(0.975, n - 1)) ** 2
    return RepeatMean(mean, n_eff, n_eff_t, wilson(float(mean) * n_eff_t, n_eff_t))
