"""What the unseen could change: bounds over unscoreable rows, and the bound that clean controls give."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from denominator.stats.rates import Interval, wilson


@dataclass(frozen=True, slots=True)
class Bounds:
    """The rate if every unseen draw had failed, and if every one had passed."""

    lo: Fraction
    hi: Fraction


def manski(passes: int, unseen: int, declared: int) -> Bounds:
    """Worst and best case over declared draws (Manski 1989). Raises ValueError when nothing was declared."""
    if declared <= 0 or passes < 0 or unseen < 0 or passes + unseen > declared:
        raise ValueError(f"{passes} passes and {unseen} unseen of {declared} is not a count")
    return Bounds(Fraction(passes, declared), Fraction(passes + unseen, declared))


def outer_interval(passes: int, unseen: int, declared: int) -> Interval:
    """From the lower end of the worst case to the upper end of the best case, Wilson each."""
    return Interval(wilson(passes, declared).lo, wilson(passes + unseen, declared).hi)


def tipping_count(passes: int, unseen: int, declared: int, claim: Fraction) -> int | None:
    """How many failures among the unseen draws overturn "the rate is above `claim`"; None when they cannot."""
    for failures in range(unseen + 1):
        if Fraction(passes + unseen - failures, declared) <= claim:
            return failures
    return None


def false_pass_upper(controls: int, alpha: float = 0.05) -> float:
    """One-sided upper bound of the false-pass rate after `controls` clean controls (Clopper-Pearson at zero)."""
    if controls <= 0:
        return 1.0
    return float(1.0 - alpha ** (1.0 / controls))
