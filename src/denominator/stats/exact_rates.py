"""Intervals of one rate from the beta distribution: Clopper and Pearson's, never too short, and Jeffreys'."""

from __future__ import annotations

from fractions import Fraction

from denominator.stats.beta import beta_quantile
from denominator.stats.rates import LEVEL, Interval


def clopper_pearson(successes: float | Fraction, trials: float | Fraction, level: Fraction = LEVEL) -> Interval:
    """Clopper and Pearson 1934: covers at least `level` whatever the rate. Raises ValueError outside 0 <= k <= n."""
    if nothing := _nothing(successes, trials):
        return nothing
    tail, k, n = float((1 - level) / 2), float(successes), float(trials)
    lo = 0.0 if k == 0 else beta_quantile(tail, k, n - k + 1)
    hi = 1.0 if k == n else beta_quantile(1 - tail, k + 1, n - k)
    return Interval(lo, hi)


def jeffreys(successes: float | Fraction, trials: float | Fraction, level: Fraction = LEVEL) -> Interval:
    """Beta(k + 1/2, n - k + 1/2) quantiles, 0 at k = 0 and 1 at k = n (Brown, Cai and DasGupta 2001)."""
    if nothing := _nothing(successes, trials):
        return nothing
    tail, k, n = float((1 - level) / 2), float(successes), float(trials)
    lo = 0.0 if k == 0 else beta_quantile(tail, k + 0.5, n - k + 0.5)
    hi = 1.0 if k == n else beta_quantile(1 - tail, k + 0.5, n - k + 0.5)
    return Interval(lo, hi)


def _nothing(successes: float | Fraction, trials: float | Fraction) -> Interval | None:
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} of {trials} is not a count")
    return Interval(0.0, 1.0, "nothing was observed") if trials == 0 else None
