"""Granularity: can a printed percentage be a count out of n at all, and which n would make it one?"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor


def possible_counts(percent: str, n: int) -> tuple[int, ...]:
    """The k for which k/n prints as `percent` at its own precision, whatever way halves are rounded."""
    if n <= 0:
        return ()
    target, half = _printed(percent)
    low = max(0, int((target - half) * n / 100))
    high = min(n, int((target + half) * n / 100) + 1)
    return tuple(k for k in range(low, high + 1) if abs(Fraction(100 * k, n) - target) <= half)


def cut_counts(percent: str, n: int) -> tuple[int, ...]:
    """The k for which k/n prints as `percent` where further digits are cut off instead of rounded."""
    if n <= 0:
        return ()
    target, half = _printed(percent)
    low, high = max(0, int(target * n / 100)), min(n, int((target + 2 * half) * n / 100) + 1)
    return tuple(k for k in range(low, high + 1) if target <= Fraction(100 * k, n) < target + 2 * half)


def prints_as(percent: str, share: Fraction) -> bool:
    """Does a share print as `percent`, whatever way halves are rounded?"""
    target, half = _printed(percent)
    return abs(100 * share - target) <= half


def any_count(low: Fraction, high: Fraction, n: int) -> bool:
    """Is there a k from 0 to n with low < k/n < high? Exact, and as quick for any n."""
    least = max(0, floor(low * n) + 1)
    return n > 0 and least <= n and Fraction(least, n) < high


def possible_denominators(k: int, percent: str, most: int) -> range:
    """The n from k to `most` for which k/n prints as `percent`, whatever way halves are rounded: they follow each other."""
    target, half = _printed(percent)
    if target + half <= 0:
        return range(0)
    low = max(k, 1, ceil(100 * k / (target + half)))
    high = most if target <= half else min(most, floor(100 * k / (target - half)))
    return range(low, max(low, high + 1))


def _printed(percent: str) -> tuple[Fraction, Fraction]:
    """The number, and half a unit of its last digit."""
    text = percent.strip()
    return Fraction(text), Fraction(1, 2 * 10 ** len(text.partition(".")[2]))
