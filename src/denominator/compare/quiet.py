"""A withheld number stays withheld among the conditions too: a foreign document may print the rate that its rows may not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from denominator.records.comparisons import FieldVerdict, Side
from denominator.records.estimates import Estimate
from denominator.records.values import NotMeasured
from denominator.stats.mentions import Hidden, without_mentions, without_numbers

Fields = tuple[FieldVerdict, ...]


def quiet_fields(a: Side, b: Side, fields: Fields) -> Fields:
    """The fields with every mention of a number that an arm's gate withholds blacked out, whichever arm states it."""
    masks = [mask for side in (a, b) if (mask := _mask(side)) is not None]
    for mask in masks:
        fields = tuple(replace(one, a=_quiet(one.a, mask), b=_quiet(one.b, mask)) for one in fields)
    return fields


def _quiet(value: str | NotMeasured, mask: Callable[[str], str]) -> str | NotMeasured:
    return mask(value) if isinstance(value, str) else value


def _mask(side: Side) -> Callable[[str], str] | None:
    """How texts are blacked out for one arm; nothing where its seal wrote them or nothing is withheld."""
    if side.sheet.terms.origin == "seal" or not side.verdict.withheld:
        return None
    if side.split_hidden:
        return without_numbers
    hidden = tuple(_hidden(one) for one in side.sheet.estimates if one.metric in side.verdict.withheld)
    return lambda text: without_mentions(text, hidden)


def _hidden(one: Estimate) -> Hidden:
    decimals = tuple(value for value in (one.value, one.lo, one.hi) if isinstance(value, str))
    k, n = one.numerator, one.denominator
    return Hidden(decimals, (k, n) if isinstance(k, int) and isinstance(n, int) else None)
