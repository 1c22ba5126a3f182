"""The beta distribution: its cumulative function by a continued fraction (Lentz), its quantile by halving."""

from __future__ import annotations

from math import exp, lgamma, log

from denominator.stats.solve import halved

TINY = 1e-300


def _fraction(a: float, b: float, x: float) -> float:
    c, d = 1.0, 1.0 / max(abs(1.0 - (a + b) * x / (a + 1.0)), TINY)
    d = d if 1.0 - (a + b) * x / (a + 1.0) >= 0 else -d
    total = d
    for m in range(1, 20_000):
        for step in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1.0 / ((1.0 + step * d) or TINY)
            c = (1.0 + step / c) or TINY
            total *= d * c
        if abs(d * c - 1.0) < 1e-15:
            break
    return total


def beta_cdf(a: float, b: float, x: float) -> float:
    """P(X <= x) for X ~ Beta(a, b), the regularised incomplete beta function, to about 1e-12 (a, b > 0)."""
    if x <= 0.0 or x >= 1.0:
        return 0.0 if x <= 0.0 else 1.0
    if x > (a + 1.0) / (a + b + 2.0):
        return 1.0 - beta_cdf(b, a, 1.0 - x)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1.0 - x))
    return front * _fraction(a, b, x) / a


def beta_quantile(p: float, a: float, b: float) -> float:
    """The x in [0, 1] with P(X <= x) = p. Raises ValueError for p outside [0, 1] or a, b <= 0."""
    if not 0.0 <= p <= 1.0 or a <= 0.0 or b <= 0.0:
        raise ValueError(f"there is no beta quantile at {p} with shapes {a} and {b}")
    if p in (0.0, 1.0):
        return p
    return halved(lambda x: beta_cdf(a, b, x) < p, 0.0, 1.0)
