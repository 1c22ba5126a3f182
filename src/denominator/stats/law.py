"""The law of a sum of independent whole numbers, by convolution: no draws, no seed, the same bits everywhere.

Weights are integers. A product of polynomials is one product of two large integers whose digits are the coefficients
(Kronecker 1882), and a power is taken for all parts at once by squaring, so that thousands of terms cost about ten
squares. Small laws stay exact. Large ones are rounded *down* to `ROUNDED_BITS`: every weight is then a lower bound,
and what all of them lack is known (`lost`), so that tails and quantiles are given on the safe side.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, prod

EXACT_BITS = 256
ROUNDED_BITS = 64


@dataclass(frozen=True, slots=True)
class Law:
    """P(sum = first + i) is weights[i] / total, or up to lost / total more."""

    first: int
    weights: tuple[int, ...]
    total: int
    exact: bool = True

    @property
    def lost(self) -> int:
        """What rounding took from all weights together; 0 means that the law is exact."""
        return self.total - sum(self.weights)

    def at_most(self, value: int) -> Fraction:
        """P(sum <= value), from below."""
        return Fraction(sum(self.weights[: max(0, value - self.first + 1)]), self.total)

    def at_least(self, value: int) -> Fraction:
        """P(sum >= value), from below."""
        return Fraction(sum(self.weights[max(0, value - self.first) :]), self.total)

    def mass(self, value: int) -> Fraction:
        """P(sum = value), from below."""
        place = value - self.first
        return Fraction(self.weights[place] if 0 <= place < len(self.weights) else 0, self.total)

    def quantile(self, p: Fraction, spare: int = 0) -> int:
        """The smallest value v with P(sum <= v) >= p; `spare` = lost gives a v that is never too large."""
        need, found = ceil(p * self.total) - spare, 0
        for place, weight in enumerate(self.weights):
            found += weight
            if found >= need:
                return self.first + place
        return self.first + len(self.weights) - 1


def law_of(weights: Sequence[int], first: int = 0) -> Law:
    """A law from whole-number weights. Raises ValueError for a negative weight or none at all."""
    if min(weights, default=-1) < 0 or not any(weights):
        raise ValueError("a law needs weights that are not negative and not all zero")
    return _trimmed(list(weights), first, sum(weights))


def sum_law(parts: Iterable[tuple[Law, int]]) -> Law:
    """The law of a sum in which each part occurs, independently, the given number of times."""
    groups = [(law, count) for law, count in parts if count > 0]
    found = Law(0, (1,), 1)
    for bit in reversed(range(max((count.bit_length() for _, count in groups), default=0))):
        found = _squared_times(found, [law for law, count in groups if count >> bit & 1])
    return found


def _squared_times(law: Law, others: Sequence[Law]) -> Law:
    """The law of two copies of `law` and one of each other: the digits are read once, at the end."""
    total = law.total**2 * prod(other.total for other in others)
    width = total.bit_length() // 8 + 1
    product = _packed(law.weights, width) ** 2
    for other in others:
        product *= _packed(other.weights, width)
    length = 2 * len(law.weights) - 1 + sum(len(other.weights) - 1 for other in others)
    digits = product.to_bytes(length * width, "little")
    weights = [int.from_bytes(digits[at : at + width], "little") for at in range(0, length * width, width)]
    exact = law.exact and all(other.exact for other in others) and total.bit_length() <= EXACT_BITS
    if not exact:
        weights = [(weight << ROUNDED_BITS) // total for weight in weights]
        total = 1 << ROUNDED_BITS
    return _trimmed(weights, 2 * law.first + sum(other.first for other in others), total, exact)


def _packed(weights: Sequence[int], width: int) -> int:
    return int.from_bytes(b"".join([weight.to_bytes(width, "little") for weight in weights]), "little")


def _trimmed(weights: list[int], first: int, total: int, exact: bool = True) -> Law:
    start, end = 0, len(weights)
    while end and not weights[end - 1]:
        end -= 1
    while start < end and not weights[start]:
        start += 1
    return Law(first + start, tuple(weights[start:end]), total, exact)
