"""Exact laws of a paired difference with K repeats: the sign-flip test, the bootstrap interval, the stratified test.

A task's difference is a whole number d = passes of A - passes of B, between -K and K, so that all three laws live on
the lattice of multiples of 1/K and are sums of independent whole numbers (`law.sum_law`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, gcd

from denominator.records.values import NotMeasured
from denominator.stats.law import Law, law_of, sum_law
from denominator.stats.rates import LEVEL, Interval

NO_TASK = NotMeasured("there is no task that both arms ran")


@dataclass(frozen=True, slots=True)
class ExactP:
    """Two-sided p and mid-p. Not `exact`: rounded up, by less than 1e-12, because the law is very long."""

    p: Fraction
    midp: Fraction
    exact: bool


def differences(passes_a: Sequence[int], passes_b: Sequence[int], repeats: int) -> tuple[int, ...]:
    """Passes of A less passes of B, task by task. Raises ValueError for a count outside 0..repeats or odd lengths."""
    if repeats < 1 or any(not 0 <= count <= repeats for count in (*passes_a, *passes_b)):
        raise ValueError("needs 0..repeats passes for each task in both arms")
    return tuple(a - b for a, b in zip(passes_a, passes_b, strict=True))


def sign_flip(diffs: Sequence[int]) -> ExactP:
    """Fisher's randomisation test: if the arms are alike, each task's difference could as well have the other sign.

    Over all 2^m signs of the m differences that are not 0; K cancels. At K = 1 this is the exact McNemar test.
    """
    sizes = Counter(abs(d) for d in diffs if d)
    unit = gcd(*sizes) or 1
    law = sum_law((law_of([1, *[0] * (size // unit - 1), 1]), count) for size, count in sizes.items())
    whole, found = sum(size * count for size, count in sizes.items()) // unit, abs(sum(diffs)) // unit
    return two_sided(law, (whole - found) // 2, (whole + found) // 2)


def stratified(passes_a: Sequence[int], passes_b: Sequence[int], repeats: int) -> ExactP:
    """Exact Cochran-Mantel-Haenszel: given a task's passes in both arms, A's share is hypergeometric. These tasks only."""
    diffs = differences(passes_a, passes_b, repeats)
    totals = Counter(a + b for a, b in zip(passes_a, passes_b, strict=True))
    law = sum_law((_hypergeometric(total, repeats), count) for total, count in totals.items())
    twice_mean, found = sum(total * count for total, count in totals.items()), abs(sum(diffs))
    return two_sided(law, (twice_mean - found) // 2, (twice_mean + found) // 2)


def two_sided(law: Law, low: int, high: int) -> ExactP:
    """P(X <= low or X >= high) of a symmetric law, and the same less half the chance of the two ends; 1 if they meet."""
    if low >= high:
        return ExactP(Fraction(1), Fraction(1), law.exact)
    lost = Fraction(law.lost, law.total)
    p = law.at_most(low) + law.at_least(high) + lost
    ends = (law.mass(low) + law.mass(high)) / 2
    return ExactP(min(Fraction(1), p), min(Fraction(1), p - ends), law.exact)


def bootstrap_law(diffs: Sequence[int]) -> Law | NotMeasured:
    """The law of the sum of N differences drawn with replacement: what a bootstrap only samples."""
    if not diffs:
        return NO_TASK
    seen, lo, hi = Counter(diffs), min(diffs), max(diffs)
    return sum_law([(law_of([seen[value] for value in range(lo, hi + 1)], lo), len(diffs))])


def bootstrap(diffs: Sequence[int], repeats: int, level: Fraction = LEVEL) -> Interval | NotMeasured:
    """Percentile interval of the mean difference: ends are the smallest v with P(mean <= v) >= (1 -+ level)/2.

    A cross-check, not the default: it has no width when all differences agree, and is too short below 20 tasks.
    """
    law = bootstrap_law(diffs)
    if isinstance(law, NotMeasured):
        return law
    scale = len(diffs) * repeats
    lo, hi = law.quantile((1 - level) / 2, law.lost), law.quantile((1 + level) / 2)
    return Interval(lo / scale, hi / scale, "" if lo < hi else "all differences agree: no width is not certainty")


def _hypergeometric(total: int, repeats: int) -> Law:
    first, last = max(0, total - repeats), min(total, repeats)
    return law_of([comb(repeats, x) * comb(repeats, total - x) for x in range(first, last + 1)], first)
