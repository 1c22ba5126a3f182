"""The interval of a paired difference, one draw a task: Tango's score interval, the default."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

from denominator.stats.fourfold import Pairs
from denominator.stats.rates import LEVEL, Interval, z_quantile
from denominator.stats.solve import halved


def tango(table: Pairs, level: Fraction = LEVEL) -> Interval:
    """Pass rate A minus B, in [-1, 1] (Tango 1998). No discordant task: +-z^2/(n + z^2). No task: [-1, 1]."""
    if table.n == 0:
        return Interval(-1.0, 1.0, "nothing was observed")
    z, point = z_quantile(level), (table.a_only - table.b_only) / table.n
    lo = halved(lambda delta: _score(table, delta) > z, -1.0, point)
    hi = halved(lambda delta: _score(table, delta) >= -z, point, 1.0)
    return Interval(lo, hi)


def _score(table: Pairs, delta: float) -> float:
    """The score statistic at a true difference `delta`, with the constrained estimate of the other nuisance cell."""
    n, b, c = table.n, table.a_only, table.b_only
    gap = b - c - n * delta
    half = -b - c + (2 * n - b + c) * delta
    root = sqrt(max(0.0, half * half + 8 * n * c * delta * (1 - delta)))
    q = (root - half) / (4 * n)
    variance = n * (2 * q + delta * (1 - delta))
    if variance <= 0.0:
        return 0.0 if abs(gap) < 1e-12 else gap * float("inf")
    return gap / sqrt(variance)
