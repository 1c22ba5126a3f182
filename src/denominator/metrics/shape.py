"""The one shape of every metric: a sheet in, an estimate out, with everything that is needed to defend it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
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


@dataclass(frozen=True, slots=True)
class About:
    """What an estimate is of: its name, what it estimates, what is counted, over which sheet."""

    name: str
    estimand: str
    unit: str
    sheet: Sheet
    secondary: bool = True

    def rate(self, numerator: int, denominator: int | NotMeasured, empty: str) -> Estimate:
        """k of n with Wilson's interval; n unknown or 0 gives no value and the reason."""
        if isinstance(denominator, NotMeasured) or denominator <= 0:
            reason = denominator if isinstance(denominator, NotMeasured) else NotMeasured(empty)
            return self.missing(reason, numerator, denominator)
        interval = wilson(numerator, denominator)
        return self.measured(numerator, denominator, Fraction(numerator, denominator), interval, PLAIN_WILSON)

    def measured(self, numerator: int, denominator: int, value: Number, interval: Interval, method: str) -> Estimate:
        """A measured estimate; numbers become decimal text here."""
        blank = self.missing(NotMeasured("measured"), numerator, denominator)
        lo, hi = decimal6(interval.lo), decimal6(interval.hi)
        return replace(blank, value=decimal6(value), lo=lo, hi=hi, method=method)

    def missing(self, why: NotMeasured, numerator: int | NotMeasured, denominator: int | NotMeasured) -> Estimate:
        """An estimate that cannot be made, with the reason in the place of the number."""
        return Estimate(
            metric=self.name,
            estimand=self.estimand,
            numerator=numerator,
            denominator=denominator,
            unit=self.unit,
            value=why,
            lo=why,
            hi=why,
            n_tasks=tasks_of(self.sheet),
            repeats=self.sheet.terms.repeats,
            secondary=self.secondary,
        )


def share(name: str, estimand: str, sheet: Sheet, holds: Callable[[JudgedDraw], bool]) -> Estimate:
    """The share of declared draws of the solvable slice for which something holds."""
    count = sum(holds(draw) for draw in sheet.of_slice("solvable"))
    return About(name, estimand, "draws", sheet).rate(count, sheet.solvable_n(), "no solvable draw was declared")


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
    return About(name, estimand, "draws", sheet).missing(why, sum(map(holds, draws)), sheet.solvable_n())


def tasks_of(sheet: Sheet) -> int | NotMeasured:
    """Declared tasks of the solvable slice."""
    if isinstance(sheet.declared_n, NotMeasured):
        return sheet.declared_n
    return len({draw.draw.task_id for draw in sheet.of_slice("solvable")}) + sheet.unnamed
