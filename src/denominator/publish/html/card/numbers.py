"""The numbers of a run: intervals drawn under each other, every estimate with its fraction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from denominator.publish.drawings import forest_svg
from denominator.publish.html.parts import Cell, drawing, folded, table
from denominator.publish.terminal.plots import Ranged
from denominator.publish.terminal.rates import AMOUNTS, MATTERS, grouped, three
from denominator.records.estimates import Estimate
from denominator.records.reports import Report
from denominator.records.values import NotMeasured, counted

HEADS = ("number", "count", "value", "95 % interval", "of", "how")
DRAWN = ("rates", "bounds", "repeats")


def numbers(report: Report) -> Iterable[str]:
    """The drawing first, then the rates, then a folded table a group; what has no number stands with its reason."""
    found = {one.metric: one for one in report.card.estimates}
    groups = [(title, [found[name] for name in names]) for title, names in grouped(found)]
    if drawn := [row for title, listed in groups if title in DRAWN for row in map(ranged, listed) if row is not None]:
        yield drawing(forest_svg(drawn, "95 % intervals"), "Rates with their intervals; the dot is the value")
    for title, listed in groups:
        if rows := [line(one) for one in listed if _measured(one)]:
            found_here = table(_caption(title), HEADS, rows, (1, 2, 3))
            told = f"{title.capitalize()}: {counted(len(rows), 'number')}"
            yield found_here if title in MATTERS else folded(told, [found_here])
    absent = [(one.metric, _why(one)) for _, listed in groups for one in listed if not _measured(one)]
    if absent:
        yield folded(
            "What was not measured, or is withheld, and why", [table("Without a number", ("number", "why"), absent)]
        )


def _caption(title: str) -> str:
    return "Rates; every rate but the headline is secondary" if title in MATTERS else title.capitalize()


def ranged(one: Estimate, least: int = 0) -> Ranged | None:
    """The interval of a share, where both ends are known."""
    if not isinstance(one.lo, str) or not isinstance(one.hi, str) or one.unit in AMOUNTS:
        return None
    if not least <= Fraction(one.lo) <= Fraction(one.hi) <= 1:
        return None
    note = f"{one.numerator}/{one.denominator}" if isinstance(one.numerator, int) else ""
    return Ranged(one.metric, one.value, one.lo, one.hi, note)


def line(one: Estimate) -> Sequence[Cell]:
    """An estimate as a row; an end that is not known says nothing of the other."""
    count = f"{one.numerator} of {one.denominator}" if isinstance(one.numerator, int) else ""
    value = short(one) if isinstance(one.value, str) else "-"
    why = "" if isinstance(one.value, str) else one.value.not_measured
    ends = f"{_end(one, one.lo)} to {_end(one, one.hi)}" if isinstance(one.lo, str) or isinstance(one.hi, str) else ""
    by = ", ".join(f"{part} {number}" for part, number in one.by)
    return (one.metric, count, value, ends, one.unit, "; ".join(part for part in (why, one.method, by) if part))


def short(one: Estimate) -> str:
    """The value of an estimate as people read it."""
    return _end(one, one.value)


def _end(one: Estimate, value: str | NotMeasured) -> str:
    if isinstance(value, NotMeasured):
        return "?"
    told = three(value)
    return told.rstrip("0").rstrip(".") if one.unit in AMOUNTS and "." in told else told


def _measured(one: Estimate) -> bool:
    return any(isinstance(number, str) for number in (one.value, one.lo, one.hi))


def _why(one: Estimate) -> str:
    return one.value.not_measured if isinstance(one.value, NotMeasured) else ""
