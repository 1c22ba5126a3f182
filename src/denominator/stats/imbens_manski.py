"""An interval for the rate itself, rather than for its bounds, under unscoreable draws; a cross-check."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from statistics import NormalDist

from denominator.stats.bounds import manski
from denominator.stats.rates import LEVEL, Interval
from denominator.stats.solve import halved


def imbens_manski(passes: int, unseen: int, declared: int, level: Fraction = LEVEL) -> Interval:
    """Imbens and Manski 2004: [lo - c se, hi + c se] with c between the one- and the two-sided normal quantile.

    It leans on the normal law and has no width at 0 or declared passes; `outer_interval` is the default.
    """
    bounds = manski(passes, unseen, declared)
    lo, hi = float(bounds.lo), float(bounds.hi)
    se_lo, se_hi = sqrt(lo * (1 - lo) / declared), sqrt(hi * (1 - hi) / declared)
    c = critical(hi - lo, max(se_lo, se_hi), level)
    return Interval(max(0.0, lo - c * se_lo), min(1.0, hi + c * se_hi))


def critical(width: float, se: float, level: Fraction = LEVEL) -> float:
    """The c with Phi(c + width/se) - Phi(-c) = level."""
    cdf, wide = NormalDist().cdf, width / se if se else float("inf")
    return halved(lambda c: cdf(c + wide) - cdf(-c) < float(level), 0.0, 40.0)
