"""The exact test for two arms on the same tasks, one draw each: only discordant tasks speak (the sign test)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import comb

ALPHA = Fraction(5, 100)


def mcnemar(a_only: int, b_only: int) -> Fraction:
    """Two-sided exact p (McNemar 1947, binomial form); 1 when nothing is discordant or the two counts are equal."""
    n, few = _counts(a_only, b_only)
    return min(Fraction(1), Fraction(2 * _at_most(n, few), 1 << n))


def mcnemar_midp(a_only: int, b_only: int) -> Fraction:
    """The same less half the chance of the observed split (Fagerland, Lydersen and Laake 2013)."""
    n, few = _counts(a_only, b_only)
    return Fraction(2 * _at_most(n, few) - comb(n, few), 1 << n)


def min_discordant(alpha: Fraction = ALPHA, *, midp: bool = False) -> int:
    """How many discordant tasks it takes, all favouring one arm, for p <= alpha: 6 at 0.05, 5 with mid-p."""
    n = 1
    while (mcnemar_midp(n, 0) if midp else mcnemar(n, 0)) > alpha:
        n += 1
    return n


def rejection_limits(n: int, alpha: Fraction = ALPHA, *, midp: bool = False) -> Iterator[int]:
    """For 0..n discordant tasks: the largest smaller count that rejects, -1 when none does.

    One step a task: the tail of m is twice the tail of m - 1 less one binomial coefficient, and `following`, the
    coefficient after the limit, comes from the one before it.
    """
    limit, tail, following = -1, 0, 1
    for m in range(n + 1):
        if m:
            tail = 2 * tail - following * (limit + 1) // (m - 1 - limit)
            following = following * m // (m - 1 - limit)
        while 2 * (limit + 1) < m:
            doubled = 2 * (tail + following) - (following if midp else 0)
            if doubled * alpha.denominator > alpha.numerator << m:
                break
            limit, tail = limit + 1, tail + following
            following = following * (m - limit) // (limit + 1)
        yield limit


def _counts(a_only: int, b_only: int) -> tuple[int, int]:
    if min(a_only, b_only) < 0:
        raise ValueError("counts of discordant tasks are not negative")
    return a_only + b_only, min(a_only, b_only)


def _at_most(n: int, k: int) -> int:
    total = term = 1
    for i in range(k):
        term = term * (n - i) // (i + 1)
        total += term
    return total
