"""Granularity: can a printed percentage be a count out of n at all?"""

from __future__ import annotations

from fractions import Fraction


def possible_counts(percent: str, n: int) -> tuple[int, ...]:
    """The k for which k/n prints as `percent` at its own precision, whatever way halves are rounded."""
    if n <= 0:
        return ()
    text = percent.strip()
    decimals = len(text.partition(".")[2])
    half = Fraction(1, 2 * 10**decimals)
    target = Fraction(text)
    low = max(0, int((target - half) * n / 100))
    high = min(n, int((target + half) * n / 100) + 1)
    return tuple(k for k in range(low, high + 1) if abs(Fraction(100 * k, n) - target) <= half)
