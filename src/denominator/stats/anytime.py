"""Looking early without paying for it: evidence that may be read after every task."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import comb, lgamma, log

from denominator.stats.discordant import ALPHA
from denominator.stats.rates import LEVEL, Interval
from denominator.stats.solve import halved


def e_value(wins: int, losses: int) -> Fraction:
    """2^(w+l) B(w+1, l+1) over discordant tasks (Robbins 1970): under no difference its mean is 1 at every look."""
    if min(wins, losses) < 0:
        raise ValueError("counts of discordant tasks are not negative")
    return Fraction(1 << (wins + losses), (wins + losses + 1) * comb(wins + losses, wins))


def first_rejection(signs: Iterable[int], alpha: Fraction = ALPHA) -> int | None:
    """Place from 1 of the first sign (+1 A only, -1 B only, 0 neither) at which E >= 1/alpha; None when never."""
    wins = losses = 0
    for place, sign in enumerate(signs, 1):
        wins, losses = wins + (sign > 0), losses + (sign < 0)
        if sign and e_value(wins, losses) * alpha >= 1:
            return place
    return None


def e_min_discordant(alpha: Fraction = ALPHA) -> int:
    """How many discordant tasks, all one way, until E >= 1/alpha: 8 at 0.05."""
    n = 1
    while e_value(n, 0) * alpha < 1:
        n += 1
    return n


def confidence_sequence(passes: int, fails: int, level: Fraction = LEVEL) -> Interval:
    """The p with p^s (1-p)^f >= alpha B(s+1, f+1): covers the rate at all looks at once (uniform mixture)."""
    if min(passes, fails) < 0:
        raise ValueError("counts are not negative")
    n = passes + fails
    if n == 0:
        return Interval(0.0, 1.0, "nothing was observed")
    bar = log(1 - level) + lgamma(passes + 1) + lgamma(fails + 1) - lgamma(n + 2)

    def inside(p: float) -> bool:
        return passes * log(p) + fails * log(1.0 - p) >= bar if 0.0 < p < 1.0 else False

    lo = 0.0 if passes == 0 else halved(lambda p: not inside(p), 0.0, passes / n)
    hi = 1.0 if fails == 0 else halved(inside, passes / n, 1.0)
    return Interval(lo, hi)
