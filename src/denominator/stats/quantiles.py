"""Median and p95 over tasks, with intervals from order statistics: no assumption about the shape of times."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil
from typing import TypeVar

from denominator.records.values import NotMeasured
from denominator.stats.beta import beta_cdf
from denominator.stats.ranked import in_order
from denominator.stats.rates import LEVEL

MEDIAN = Fraction(1, 2)
P95 = Fraction(95, 100)
RANK_RULE = "lower rank: binomial quantile of the lower tail; upper rank: that of the upper tail plus 1 (from 1)"
NO_VALUE = NotMeasured("there is no value")
T = TypeVar("T", int, Fraction, float)


def quantile_type7(values: Sequence[int | Fraction], q: Fraction) -> Fraction | NotMeasured:
    """Between neighbours, linearly (Hyndman and Fan 1996, type 7): the median of an even number is the middle."""
    if not values:
        return NO_VALUE
    ordered = in_order(values)
    place = q * (len(ordered) - 1)
    at = int(place)
    low, high = Fraction(ordered[at]), Fraction(ordered[min(at + 1, len(ordered) - 1)])
    return low + (place - at) * (high - low)


def nearest_rank(values: Sequence[T], q: Fraction) -> T | NotMeasured:
    """The smallest value that at least a share q does not exceed (type 1, inverted distribution)."""
    return in_order(values)[max(0, ceil(q * len(values)) - 1)] if values else NO_VALUE


def rank_interval(n: int, q: Fraction, level: Fraction = LEVEL) -> tuple[int | NotMeasured, int | NotMeasured]:
    """Ranks from 1 whose order statistics bound the q-quantile of tasks like these (Conover 1999, section 3.2).

    A rank that no n values have is not measured: below 6 values a median, below 72 values p95 has no upper end.
    """
    tail = float((1 - level) / 2)
    low, high = _binomial_quantile(tail, n, float(q)), _binomial_quantile(1 - tail, n, float(q)) + 1
    return (
        low if low >= 1 else NotMeasured(f"{n} values have no lower bound for this quantile"),
        high
        if high <= n
        else NotMeasured(f"{n} values have no upper bound for this quantile: it may be any larger one"),
    )


def quantile_interval(
    values: Sequence[T], q: Fraction, level: Fraction = LEVEL
) -> tuple[T | NotMeasured, T | NotMeasured]:
    """The order statistics at `rank_interval`. One value a task: repeats of a task are not independent."""
    ordered, (low, high) = in_order(values), rank_interval(len(values), q, level)
    return (
        low if isinstance(low, NotMeasured) else ordered[low - 1],
        high if isinstance(high, NotMeasured) else ordered[high - 1],
    )


def least_n_for_upper(q: Fraction, level: Fraction = LEVEL) -> int:
    """How many values it takes until the largest is a one-sided upper bound: 59 for p95 at 95%, 72 at 97.5%."""
    n, power = 1, q
    while power > 1 - level:
        n, power = n + 1, power * q
    return n


def chance_max_exceeds(n: int, q: Fraction) -> Fraction:
    """P(the largest of n values is at or above the true q-quantile) = 1 - q^n."""
    return 1 - q**n


def _binomial_quantile(p: float, n: int, q: float) -> int:
    """The smallest k with P(X <= k) >= p for X ~ Binomial(n, q)."""
    low, high = 0, n
    while low < high:
        k = (low + high) // 2
        low, high = (low, k) if 1.0 - beta_cdf(k + 1, n - k, q) >= p else (k + 1, high)
    return low
