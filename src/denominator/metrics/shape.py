"""The one shape of every metric: a sheet in, an estimate out, with everything that is needed to defend it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from denominator.catalog import Entry
from denominator.records.estimates import Estimate
from denominator.records.judgements import JudgedDraw, Sheet
from denominator.records.values import NotMeasured
from denominator.stats import Interval, decimal6, wilson
from denominator.stats.decimals import Number

PLAIN_WILSON = "Wilson score interval, exact normal quantile"


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: its entry, its function, and whether it says how good the agent is (withheld when the gate blocks)."""

    entry: Entry
    measure: Callable[[Sheet], Estimate]
    performance: bool = True
    secondary: bool = True


def rate(
    name: str,
    estimand: str,
    numerator: int,
    denominator: int | NotMeasured,
    unit: str,
    sheet: Sheet,
    *,
    secondary: bool = True,
    empty: str = "nothing to divide by",
) -> Estimate:
    """k of n with Wilson's interval; n unknown or 0 gives no value and the reason."""
    if isinstance(denominator, NotMeasured) or denominator <= 0:
        reason = denominator if isinstance(denominator, NotMeasured) else NotMeasured(empty)
        return missing(name, estimand, unit, sheet, reason, numerator, denominator, secondary=secondary)
    value, interval = Fraction(numerator, denominator), wilson(numerator, denominator)
    return estimate(
        name, estimand, numerator, denominator, unit, sheet, value, interval, PLAIN_WILSON, secondary=secondary
    )


def estimate(
    name: str,
    estimand: str,
    numerator: int,
    denominator: int,
    unit: str,
    sheet: Sheet,
    value: Number,
    interval: Interval,
    method: str,
    *,
    secondary: bool = True,
) -> Estimate:
    """A measured estimate; numbers become decimal text here."""
    return Estimate(
        metric=name,
        estimand=estimand,
        numerator=numerator,
        denominator=denominator,
        unit=unit,
        value=decimal6(value),
        lo=decimal6(interval.lo),
        hi=decimal6(interval.hi),
        method=method,
        n_tasks=tasks_of(sheet),
        repeats=sheet.terms.repeats,
        secondary=secondary,
    )


def share(name: str, estimand: str, sheet: Sheet, holds: Callable[[JudgedDraw], bool]) -> Estimate:
    """The share of declared draws of the solvable slice for which something holds."""
    count = sum(holds(draw) for draw in sheet.of_slice("solvable"))
    return rate(name, estimand, count, sheet.solvable_n(), "draws", sheet, empty="no draw was declared")


def share_where_known(
    name: str,
    estimand: str,
    sheet: Sheet,
    holds: Callable[[JudgedDraw], bool],
    known: Callable[[JudgedDraw], bool],
    unread: str,
) -> Estimate:
    """The same; while a draw is unread the count is only the least it can be, and there is no rate."""
    draws = sheet.of_slice("solvable")
    gaps = sum(not known(draw) for draw in draws)
    if not gaps:
        return share(name, estimand, sheet, holds)
    of = "1 draw" if gaps == 1 else f"{gaps} draws"
    why = NotMeasured(f"{unread} for {of}")
    return missing(name, estimand, "draws", sheet, why, sum(map(holds, draws)), sheet.solvable_n())


def missing(
    name: str,
    estimand: str,
    unit: str,
    sheet: Sheet,
    reason: NotMeasured,
    numerator: int | NotMeasured,
    denominator: int | NotMeasured,
    *,
    secondary: bool = True,
) -> Estimate:
    """An estimate that cannot be made, with the reason in the place of the number."""
    return Estimate(
        metric=name,
        estimand=estimand,
        numerator=numerator,
        denominator=denominator,
        unit=unit,
        value=reason,
        lo=reason,
        hi=reason,
        n_tasks=tasks_of(sheet),
        repeats=sheet.terms.repeats,
        secondary=secondary,
    )


def tasks_of(sheet: Sheet) -> int | NotMeasured:
    """Declared tasks of the solvable slice."""
    if isinstance(sheet.declared_n, NotMeasured):
        return sheet.declared_n
    return len({draw.draw.task_id for draw in sheet.of_slice("solvable")}) + sheet.unnamed
