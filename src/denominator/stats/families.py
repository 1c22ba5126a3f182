"""Several comparisons, one declared family: Holm's step-down adjustment."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def holm(p_values: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """Adjusted p values in the given order (Holm 1979): reject at alpha what is <= alpha. Raises ValueError outside [0, 1]."""
    if any(not 0 <= p <= 1 for p in p_values):
        raise ValueError("a p value lies between 0 and 1")
    adjusted, least = [Fraction(1)] * len(p_values), Fraction(0)
    for rank, place in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        least = max(least, min(Fraction(1), (len(p_values) - rank) * p_values[place]))
        adjusted[place] = least
    return tuple(adjusted)
