"""Two arms over the same tasks, one draw each: the fourfold table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from denominator.records.values import NotMeasured
from denominator.stats.quotients import quotient


@dataclass(frozen=True, slots=True)
class Pairs:
    """How many tasks both arms pass, only A, only B, neither."""

    both: int
    a_only: int
    b_only: int
    neither: int

    def __post_init__(self) -> None:
        if min(self.both, self.a_only, self.b_only, self.neither) < 0:
            raise ValueError("a fourfold table has no negative count")

    @property
    def n(self) -> int:
        """Tasks."""
        return self.both + self.a_only + self.b_only + self.neither

    @property
    def discordant(self) -> int:
        """Tasks that exactly one arm passes."""
        return self.a_only + self.b_only

    @property
    def difference(self) -> Fraction | NotMeasured:
        """Pass rate of A minus pass rate of B."""
        return quotient(self.a_only - self.b_only, self.n, "there is no task that both arms ran")


def pairs(passed_a: Sequence[bool], passed_b: Sequence[bool]) -> Pairs:
    """From outcomes in the same task order. Raises ValueError when the lengths differ."""
    found = Counter(zip(passed_a, passed_b, strict=True))
    return Pairs(found[True, True], found[True, False], found[False, True], found[False, False])
