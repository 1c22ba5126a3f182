"""Draws without a verdict: the worst and the best that they could make of the pair (Manski 1989, per task)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from denominator.compare.paired import Paired
from denominator.records.values import NotMeasured
from denominator.stats import Interval, PairedResult, compare_paired, stratified


@dataclass(frozen=True, slots=True)
class Outer:
    """The pair least and most favourable to A, and the interval from the lower end of one to the upper end of the other."""

    least: PairedResult
    most: PairedResult
    interval: Interval


def outer(paired: Paired, alpha: Fraction, *, midp: bool) -> Outer | NotMeasured:
    """A - B in the worst and the best case; the same result twice where every draw has a verdict."""
    least = _result(paired.filled(False, True), alpha, midp)
    most = _result(paired.filled(True, False), alpha, midp)
    if isinstance(least, NotMeasured):
        return least
    if isinstance(most, NotMeasured):
        return most
    return Outer(least, most, Interval(least.interval.lo, most.interval.hi))


def _result(paired: Paired, alpha: Fraction, midp: bool) -> PairedResult | NotMeasured:
    return compare_paired(paired.a, paired.b, paired.repeats, alpha, midp=midp, clusters=paired.clusters or None)


def holds(outer_found: Outer, mean: Fraction, alpha: Fraction, family: int = 1) -> bool:
    """Does what the seen draws establish stay established in the case that is worst for it?"""
    worst = outer_found.least if mean > 0 else outer_found.most
    same = worst.difference > 0 if mean > 0 else worst.difference < 0
    return same and worst.established and worst.p * family <= alpha


def holds_on_pack(paired: Paired, mean: Fraction, alpha: Fraction) -> bool:
    """The same for the exact test on exactly these tasks."""
    worst = paired.filled(False, True) if mean > 0 else paired.filled(True, False)
    total = sum(worst.diffs)
    same = total > 0 if mean > 0 else total < 0
    return same and stratified(worst.a, worst.b, worst.repeats).p <= alpha
