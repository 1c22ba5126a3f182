"""Planning one draw a task: exact power of McNemar's test, the least detectable difference, the number of tasks.

`psi` is the share of discordant tasks, `delta` the difference of pass rates, |delta| <= psi. Planning only: a verdict
is an interval and a test, never "the difference exceeds what was planned for".
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import islice
from math import ceil, exp, lgamma, log, log1p, sqrt

from denominator.records.values import NotMeasured
from denominator.stats.beta import beta_cdf
from denominator.stats.discordant import ALPHA, rejection_limits
from denominator.stats.rates import LEVEL, z_quantile

POWER = Fraction(80, 100)
STEPS = 10_000
KEPT = 20


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
    psi: Fraction,
    delta: Fraction,
    power: Fraction = POWER,
    alpha: Fraction = ALPHA,
    most: int = 20_000,
    *,
    midp: bool = False,
) -> int | NotMeasured:
    """The fewest tasks with that power, and with it again at each of the 20 next sizes (exact power is a saw-tooth)."""
    if delta == 0:
        return NotMeasured("no number of tasks finds a difference of 0")
    steps, limits = rejection_limits(most + KEPT, alpha, midp=midp), [-1]
    next(steps)

    def enough(n: int) -> bool:
        limits.extend(islice(steps, max(0, n + 1 - len(limits))))
        return _power(n, psi, delta, limits) >= power

    low, high = 0, 1
    while high < most and not enough(high):
        low, high = high + 1, min(most, 2 * high)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle + 1, high)
    # Halving finds one tooth of the saw; the first size from which it stays above is near it, a little before or after.
    n, kept = max(1, low - 2 * KEPT), 0
    while kept <= KEPT and n <= most + KEPT:
        kept = kept + 1 if enough(n) else 0
        n += 1
    return n - kept if kept > KEPT else NotMeasured(f"more than {most} tasks")


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
    share, chance = float((psi + abs(delta)) / (2 * psi)), float(psi)
    # Beyond ten standard deviations and a few there is no chance that a float can hold beside 1.
    mean, spread = n * chance, 10 * sqrt(n * float(psi * (1 - psi))) + 40
    first, last = (n if chance >= 1.0 else max(0, int(mean - spread))), min(n, int(mean + spread))
    first = next((m for m in range(first, last + 1) if limits[m] >= 0), last + 1)
    if first > last:
        return 0.0
    tails = [LowerTail(first, limits[first], one) for one in (share, 1.0 - share)] if share < 1.0 else []
    weight, total = _binomial(n, first, chance), 0.0
    for m in range(first, last + 1):
        # Where every discordant task favours one arm, a count that can reject does.
        total += weight * (sum(tail.at(m, limits[m]) for tail in tails) if tails else 1.0)
        weight *= (n - m) / (m + 1) * chance / (1.0 - chance) if m < n else 0.0
    return min(1.0, total)


class LowerTail:
    """P(X <= k) for X ~ Binomial(m, share), 0 < share < 1, as m and k grow: a step takes one term, not a new sum.

    The term is kept as a logarithm, because it may be too small for a float where the walk begins and not where it ends.
    """

    def __init__(self, m: int, k: int, share: float) -> None:
        self._m, self._k, self._share = m, k, share
        self._more, self._odds = log1p(-share), log(share) - log1p(-share)
        self._value = beta_cdf(m - k, k + 1, 1.0 - share)
        self._term = lgamma(m + 1) - lgamma(k + 1) - lgamma(m - k + 1) + k * log(share) + (m - k) * self._more

    def at(self, m: int, k: int) -> float:
        """The chance for an m and a k that are no smaller than the last ones; 0 <= k < m."""
        while self._m < m:
            self._value -= self._share * exp(self._term)
            self._m += 1
            self._term += log(self._m / (self._m - self._k)) + self._more
        while self._k < k:
            self._k += 1
            self._term += log((self._m - self._k + 1) / self._k) + self._odds
            self._value += exp(self._term)
        return self._value


def _binomial(n: int, m: int, p: float) -> float:
    if p >= 1.0:
        return 1.0 if m == n else 0.0
    return exp(lgamma(n + 1) - lgamma(m + 1) - lgamma(n - m + 1) + m * log(p) + (n - m) * log1p(-p))
