"""Differences from two single intervals, by squares and adding: Newcombe 1998 and its general form, MOVER."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

from denominator.stats.fourfold import Pairs
from denominator.stats.rates import LEVEL, Interval, wilson, z_quantile


def mover(rate_a: float, a: Interval, rate_b: float, b: Interval, correlation: float = 0.0) -> Interval:
    """A minus B from the interval of each (Zou and Donner 2008). Independent arms: correlation 0."""
    low_a, high_a, low_b, high_b = rate_a - a.lo, a.hi - rate_a, rate_b - b.lo, b.hi - rate_b
    below = low_a**2 + high_b**2 - 2 * correlation * low_a * high_b
    above = high_a**2 + low_b**2 - 2 * correlation * high_a * low_b
    point = rate_a - rate_b
    return Interval(max(-1.0, point - sqrt(max(0.0, below))), min(1.0, point + sqrt(max(0.0, above))))


def newcombe(k_a: int, n_a: int, k_b: int, n_b: int, level: Fraction = LEVEL) -> Interval:
    """Pass rate A minus B on different tasks (Newcombe 1998, hybrid score)."""
    if n_a == 0 or n_b == 0:
        return Interval(-1.0, 1.0, "nothing was observed in one arm")
    z = z_quantile(level)
    return mover(k_a / n_a, wilson(k_a, n_a, z), k_b / n_b, wilson(k_b, n_b, z))


def newcombe_paired(table: Pairs, level: Fraction = LEVEL) -> Interval:
    """Pass rate A minus B on the same tasks (Newcombe 1998, method 10, phi corrected for continuity)."""
    n, z = table.n, z_quantile(level)
    if n == 0:
        return Interval(-1.0, 1.0, "nothing was observed")
    pass_a, pass_b = table.both + table.a_only, table.both + table.b_only
    margins = pass_a * (n - pass_a) * pass_b * (n - pass_b)
    cross = table.both * table.neither - table.a_only * table.b_only
    corrected = max(0.0, cross - n / 2) if cross > 0 else cross
    phi = corrected / sqrt(margins) if margins else 0.0
    return mover(pass_a / n, wilson(pass_a, n, z), pass_b / n, wilson(pass_b, n, z), phi)


def agresti_caffo(k_a: int, n_a: int, k_b: int, n_b: int, level: Fraction = LEVEL) -> Interval:
    """Different tasks, one pass and one fail added to each arm (Agresti and Caffo 2000); a cross-check."""
    a, b = (k_a + 1) / (n_a + 2), (k_b + 1) / (n_b + 2)
    half = z_quantile(level) * sqrt(a * (1 - a) / (n_a + 2) + b * (1 - b) / (n_b + 2))
    return Interval(max(-1.0, a - b - half), min(1.0, a - b + half))


def bonett_price(table: Pairs, level: Fraction = LEVEL) -> Interval:
    """Same tasks, one task added to each discordant cell (Bonett and Price 2012); a cross-check."""
    n = table.n + 2
    b, c = (table.a_only + 1) / n, (table.b_only + 1) / n
    half = z_quantile(level) * sqrt((b + c - (b - c) ** 2) / n)
    return Interval(max(-1.0, b - c - half), min(1.0, b - c + half))


def agresti_min(table: Pairs, level: Fraction = LEVEL) -> Interval:
    """Same tasks, half a task added to every cell (Agresti and Min 2005); a cross-check."""
    n = table.n + 2
    b, c = (table.a_only + 0.5) / n, (table.b_only + 0.5) / n
    half = z_quantile(level) * sqrt((b + c - (b - c) ** 2) / n)
    return Interval(max(-1.0, b - c - half), min(1.0, b - c + half))
