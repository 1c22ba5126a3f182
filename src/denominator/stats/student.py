"""Student's t quantile from the incomplete beta function (continued fraction, Lentz), to about 1e-12."""

from __future__ import annotations

from math import exp, lgamma, log, sqrt

TINY = 1e-300


def _fraction(a: float, b: float, x: float) -> float:
    c, d = 1.0, 1.0 / max(abs(1.0 - (a + b) * x / (a + 1.0)), TINY)
    d = d if 1.0 - (a + b) * x / (a + 1.0) >= 0 else -d
    total = d
    for m in range(1, 400):
        for step in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1.0 / ((1.0 + step * d) or TINY)
            c = (1.0 + step / c) or TINY
            total *= d * c
        if abs(d * c - 1.0) < 1e-16:
            break
    return total


def beta_cdf(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function I_x(a, b)."""
    if x <= 0.0 or x >= 1.0:
        return 0.0 if x <= 0.0 else 1.0
    if x > (a + 1.0) / (a + b + 2.0):
        return 1.0 - beta_cdf(b, a, 1.0 - x)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1.0 - x))
    return front * _fraction(a, b, x) / a


def t_quantile(p: float, df: int) -> float:
    """The t with P(T <= t) = p for p in (0.5, 1). Raises ValueError for df < 1."""
    if df < 1:
        raise ValueError("a t quantile needs at least one degree of freedom")
    tail = 2.0 * (1.0 - p)
    lo, hi = 0.0, 1.0
    for _ in range(200):
        x = (lo + hi) / 2
        lo, hi = (x, hi) if beta_cdf(df / 2, 0.5, x) < tail else (lo, x)
    x = (lo + hi) / 2
    return sqrt(df * (1.0 - x) / x)
