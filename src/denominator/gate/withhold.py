"""A withheld number stays withheld: what may be printed of the estimates, given what the gate found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from denominator.records.estimates import Estimate
from denominator.records.values import NotMeasured


def printable(
    estimates: Iterable[Estimate],
    performance: frozenset[str],
    blockers: tuple[str, ...],
    value_hiders: tuple[str, ...],
) -> tuple[Estimate, ...]:
    """Estimates as they may be printed.

    Blockers take value, interval and numerator of every performance metric away; value hiders take only the
    quotient. What the host and the provider did (the other metrics) stays: it is the reason.
    """
    return tuple(_without(one, blockers, value_hiders) if one.metric in performance else one for one in estimates)


def _without(one: Estimate, blockers: tuple[str, ...], value_hiders: tuple[str, ...]) -> Estimate:
    if blockers:
        gone = NotMeasured(f"withheld by {', '.join(blockers)}")
        return replace(one, value=gone, lo=gone, hi=gone, numerator=gone, withheld_by=blockers)
    if value_hiders and not isinstance(one.value, NotMeasured):
        gone = NotMeasured(f"withheld by {', '.join(value_hiders)}")
        return replace(one, value=gone, withheld_by=value_hiders)
    return one
