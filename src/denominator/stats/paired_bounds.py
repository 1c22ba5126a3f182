"""Unscoreable draws in a paired comparison: the worst and the best table that the unseen could make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from denominator.records.values import NotMeasured
from denominator.stats.discordant import mcnemar
from denominator.stats.fourfold import Pairs
from denominator.stats.quotients import quotient
from denominator.stats.rates import Interval
from denominator.stats.tango_score import tango


@dataclass(frozen=True, slots=True)
class PairedBounds:
    """The table least favourable to A, the most favourable, the outer interval of A - B, the exact p of the worst."""

    worst: Pairs
    best: Pairs
    interval: Interval
    worst_p: Fraction

    @property
    def difference(self) -> tuple[Fraction | NotMeasured, Fraction | NotMeasured]:
        """A minus B in the worst and in the best case."""
        return self.worst.difference, self.best.difference

    def a_ahead(self, alpha: Fraction) -> bool:
        """Does "A passes more" hold whatever the unseen were?"""
        return self.worst_p <= alpha and self.interval.lo > 0


def manski_paired(counts: Mapping[str, int]) -> PairedBounds:
    """Counts by two letters, arm A then arm B, each p pass, f fail, u unscoreable (Manski 1989, per task).

    The interval runs from Tango's lower end of the worst table to the upper end of the best. For "B passes more"
    swap the letters. Raises ValueError for other letters.
    """
    if any(len(key) != 2 or set(key) - set("pfu") for key in counts):
        raise ValueError("needs two letters of p, f, u for each count")
    worst, best = _filled(counts, "f", "p"), _filled(counts, "p", "f")
    interval = Interval(tango(worst).lo, tango(best).hi)
    return PairedBounds(worst, best, interval, mcnemar(worst.a_only, worst.b_only))


def complete_case(counts: Mapping[str, int]) -> Fraction | NotMeasured:
    """A minus B over tasks scored in both arms: a labelled secondary, never the headline."""
    scored = sum(count for key, count in counts.items() if "u" not in key)
    gap = counts.get("pf", 0) - counts.get("fp", 0)
    return quotient(gap, scored, "no task was scored in both arms")


def _filled(counts: Mapping[str, int], unseen_a: str, unseen_b: str) -> Pairs:
    cells = {"pp": 0, "pf": 0, "fp": 0, "ff": 0}
    for key, count in counts.items():
        cells[key[0].replace("u", unseen_a) + key[1].replace("u", unseen_b)] += count
    return Pairs(cells["pp"], cells["pf"], cells["fp"], cells["ff"])
