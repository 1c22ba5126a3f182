"""No difference within a declared margin: two one-sided tests. An interval that contains 0 is not equality."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from denominator.stats.discordant import ALPHA
from denominator.stats.fourfold import Pairs
from denominator.stats.rates import Interval, z_quantile
from denominator.stats.tango_score import tango


@dataclass(frozen=True, slots=True)
class Equivalence:
    """The interval of A - B at level 1 - 2 alpha and what it allows to say about the margin."""

    interval: Interval
    equivalent: bool
    not_worse: bool


def within_margin(interval: Interval, margin: Fraction) -> Equivalence:
    """Schuirmann 1987 on an interval of A - B at level 1 - 2 alpha. Raises ValueError unless 0 < margin < 1."""
    if not 0 < margin < 1:
        raise ValueError("a margin lies between 0 and 1")
    not_worse = interval.lo > -margin
    return Equivalence(interval, not_worse and interval.hi < margin, not_worse)


def tost(table: Pairs, margin: Fraction, alpha: Fraction = ALPHA) -> Equivalence:
    """One draw a task: Tango's interval at 1 - 2 alpha. For K > 1 give `paired_t` at that level to `within_margin`."""
    return within_margin(tango(table, 1 - 2 * alpha), margin)


def equivalence_min_n(margin: Fraction, level: Fraction) -> int:
    """The fewest tasks, all concordant, for which Tango's z^2/(n + z^2) stays below the margin."""
    if not 0 < margin < 1:
        raise ValueError("a margin lies between 0 and 1")
    square = Fraction(z_quantile(level)) ** 2
    return int(square * (1 - margin) / margin) + 1
