"""Student's t from the incomplete beta function, to about 1e-12."""

from __future__ import annotations

from functools import lru_cache
from math import sqrt

from denominator.stats.beta import beta_cdf
from denominator.stats.solve import halved


def t_upper(t: float, df: float) -> float:
    """P(T > t). Raises ValueError for df <= 0."""
    if df <= 0:
        raise ValueError("a t probability needs positive degrees of freedom")
    tail = beta_cdf(df / 2, 0.5, df / (df + t * t)) / 2
    return tail if t >= 0 else 1.0 - tail


@lru_cache(maxsize=1024)
def t_quantile(p: float, df: float) -> float:
    """The t with P(T <= t) = p, 0 < p < 1. Raises ValueError for df < 1 or p outside."""
    if df < 1 or not 0.0 < p < 1.0:
        raise ValueError("a t quantile needs at least one degree of freedom and 0 < p < 1")
    if p < 0.5:
        return -t_quantile(1.0 - p, df)
    tail = 2.0 * (1.0 - p)
    x = halved(lambda x: beta_cdf(df / 2, 0.5, x) < tail, 0.0, 1.0)
    return sqrt(df * (1.0 - x) / x)
