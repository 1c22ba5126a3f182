"""Planning one draw a task: exact power of McNemar's test, the least detectable difference, the number of tasks.

`psi` is the share of discordant tasks, `delta` the difference of pass rates, |delta| <= psi. Planning only: a verdict
is an interval and a test, never "the difference exceeds what was planned for".
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, exp, lgamma, log, log1p, sqrt

from denominator.records.values import NotMeasured
from denominator.stats.beta import beta_cdf
from denominator.stats.discordant import ALPHA, rejection_limits
from denominator.stats.rates import LEVEL, z_quantile

POWER = Fraction(80, 100)
STEPS = 10_000


def mcnemar_power(n: int, psi: Fraction, delta: Fraction, alpha: Fraction = ALPHA, *, midp: bool = False) -> float:
    """P(two-sided p <= alpha) over the binomial number of discordant tasks. Raises ValueError unless |delta| <= psi <= 1."""
    return _power(n, psi, delta, tuple(rejection_limits(n, alpha, midp=midp)))


def least_difference(
    n: int, psi: Fraction, power: Fraction = POWER, alpha: Fraction = ALPHA, *, midp: bool = False
) -> Fraction | NotMeasured:
    """The smallest delta, in steps of 0.0001, with that power; not measured when even delta = psi falls short."""
    limits = tuple(rejection_limits(n, alpha, midp=midp))
    if _power(n, psi, psi, limits) < power:
        return NotMeasured(f"{n} tasks cannot reach this power even if every discordant task favours one arm")
    low, high = 0, ceil(psi * STEPS)
    while low < high:
        middle = (low + high) // 2
        enough = _power(n, psi, min(psi, Fraction(middle, STEPS)), limits) >= power
        low, high = (low, middle) if enough else (middle + 1, high)
    return min(psi, Fraction(low, STEPS))


def tasks_needed(
    psi: Fraction, delta: Fraction, power: Fraction = POWER, alpha: Fraction = ALPHA, most: int = 20_000
) -> int | NotMeasured:
    """The fewest tasks with that power, and with it again at each of the 20 next sizes (exact power is a saw-tooth)."""
    limits: Sequence[int] = ()
    # Exact power needs more tasks than the normal formula says, so that no size is passed over.
    n, kept = max(1, int(connor(psi, delta, power, 1 - alpha) * 0.6)), 0
    while n <= most:
        if n >= len(limits):
            limits = tuple(rejection_limits(n + n // 2 + 40, alpha))
        kept = kept + 1 if _power(n, psi, delta, limits) >= power else 0
        if kept > 20:
            return n - 20
        n += 1
    return NotMeasured(f"more than {most} tasks")


def connor(psi: Fraction, delta: Fraction, power: Fraction = POWER, level: Fraction = LEVEL) -> float:
    """Tasks by the normal formula (Connor 1987): (z sqrt(psi) + z' sqrt(psi - delta^2))^2 / delta^2; round up."""
    if not 0 < abs(delta) <= psi <= 1:
        raise ValueError("needs 0 < |delta| <= psi <= 1")
    ahead = z_quantile(2 * power - 1)
    return (z_quantile(level) * sqrt(psi) + ahead * sqrt(psi - delta * delta)) ** 2 / float(delta) ** 2


def _power(n: int, psi: Fraction, delta: Fraction, limits: Sequence[int]) -> float:
    if n < 0 or not abs(delta) <= psi <= 1:
        raise ValueError("needs |delta| <= psi <= 1 and n >= 0")
    if psi == 0:
        return 0.0
    share = float((psi + abs(delta)) / (2 * psi))
    total = 0.0
    for m in range(n + 1):
        chance = _binomial(n, m, float(psi))
        if limits[m] >= 0 and chance > 1e-18:
            total += chance * (_upper(m, m - limits[m], share) + _upper(m, m - limits[m], 1.0 - share))
    return min(1.0, total)


def _upper(m: int, k: int, share: float) -> float:
    """P(X >= k) for X ~ Binomial(m, share), 1 <= k <= m."""
    return beta_cdf(k, m - k + 1, share)


def _binomial(n: int, m: int, p: float) -> float:
    if p >= 1.0:
        return 1.0 if m == n else 0.0
    return exp(lgamma(n + 1) - lgamma(m + 1) - lgamma(n - m + 1) + m * log(p) + (n - m) * log1p(-p))
