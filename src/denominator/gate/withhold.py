"""A withheld number stays withheld: what may be printed of the estimates, given what the gate found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from denominator.records.estimates import Estimate
from denominator.records.seals import Terms
from denominator.records.values import NotMeasured
from denominator.stats.mentions import Hidden, without_mentions, without_numbers


def printable(
    estimates: Iterable[Estimate],
    performance: frozenset[str],
    blockers: tuple[str, ...],
    value_hiders: tuple[str, ...],
) -> tuple[Estimate, ...]:
    """Estimates as they may be printed.

    Blockers take value, interval, method and numerator of every performance metric away (which method was used tells
    whether there was something to measure); value hiders take only the quotient. What the host and the provider did
    (the other metrics) stays: it is the reason.
    """
    return tuple(_without(one, blockers, value_hiders) if one.metric in performance else one for one in estimates)


def hidden_of(before: Iterable[Estimate], shown: Iterable[Estimate]) -> tuple[Hidden, ...]:
    """What was measured and may not be printed, as mentions to look for in foreign words."""
    after = {one.metric: one for one in shown if one.withheld_by}
    return tuple(_hidden(one, after[one.metric]) for one in before if one.metric in after)


def _hidden(one: Estimate, shown: Estimate) -> Hidden:
    pairs = ((one.value, shown.value), (one.lo, shown.lo), (one.hi, shown.hi))
    decimals = tuple(was for was, now in pairs if isinstance(was, str) and isinstance(now, NotMeasured))
    gone = isinstance(shown.numerator, NotMeasured)
    k, n = one.numerator, one.denominator
    return Hidden(decimals, (k, n) if gone and isinstance(k, int) and isinstance(n, int) else None)


def quiet_terms(terms: Terms, hidden: tuple[Hidden, ...], split_hidden: bool) -> Terms:
    """Foreign terms whose words mention no hidden number; with the split hidden they hold no rate at all."""
    if terms.origin == "seal" or not (hidden or split_hidden):
        return terms

    def quiet(text: str) -> str:
        return without_numbers(text) if split_hidden else without_mentions(text, hidden)

    environment = tuple((name, quiet(text)) for name, text in terms.environment)
    return replace(terms, name=quiet(terms.name), sentence=quiet(terms.sentence), environment=environment)


def undigested(estimates: Iterable[Estimate]) -> tuple[Estimate, ...]:
    """The same without the digest of the exits: for a few draws every split can be tried until it fits."""
    return tuple(replace(one, rows_digest="") for one in estimates)


def _without(one: Estimate, blockers: tuple[str, ...], value_hiders: tuple[str, ...]) -> Estimate:
    if blockers:
        gone = NotMeasured(f"withheld by {', '.join(blockers)}")
        return replace(one, value=gone, lo=gone, hi=gone, numerator=gone, method="", withheld_by=blockers)
    if value_hiders and not isinstance(one.value, NotMeasured):
        gone = NotMeasured(f"withheld by {', '.join(value_hiders)}")
        return replace(one, value=gone, withheld_by=value_hiders)
    return one
