"""The one shape of every metric: what is read of a sheet in, an estimate out, with everything that defends it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import compress
from math import isinf

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.records.estimates import Estimate
from denominator.records.grouped import grouped
from denominator.records.judgements import JudgedDraw
from denominator.records.values import NotMeasured
from denominator.stats import Interval, decimal6, drawn_mean, repeat_mean, wilson
from denominator.stats.decimals import Number

PLAIN_WILSON = "Wilson score interval, exact normal quantile"
TASK_MEANS = "mean of task means; Wilson on effective draws, t-adjusted"
UNEVEN_DRAWS = "uneven repeats: all draws alike; Wilson on effective draws between tasks, t-adjusted"
ONE_TASK = NotMeasured("there is one task only, which has no spread")
UNEVEN = NotMeasured("repeats are uneven or there is only one task, so there is no mean of task means")
NO_DRAW = "no solvable draw was declared"
NO_TASK = "no task was declared"
MEASURED = NotMeasured("measured")
End = Number | NotMeasured


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: its entry, its function, and whether it says how good the agent is (withheld when the gate blocks).

    With `telling` its denominator says so too (tokens per accepted patch) and is withheld with the rest.
    """

    entry: Entry
    measure: Callable[[Reading], Estimate]
    performance: bool = True
    secondary: bool = True
    telling: bool = False


@dataclass(frozen=True, slots=True)
class About:
    """What an estimate is of: its name, what it estimates, what is counted, over what was read."""

    name: str
    estimand: str
    unit: str
    read: Reading
    secondary: bool = True

    def rate(self, numerator: int, denominator: int | NotMeasured, empty: str) -> Estimate:
        """k of n with Wilson's interval; n unknown or 0 gives no value and the reason."""
        if isinstance(denominator, NotMeasured) or denominator <= 0:
            reason = denominator if isinstance(denominator, NotMeasured) else NotMeasured(empty)
            return self.missing(reason, numerator, denominator)
        interval = wilson(numerator, denominator)
        return self.measured(numerator, denominator, Fraction(numerator, denominator), interval, PLAIN_WILSON)

    def suite(self, counts: Sequence[int], empty: str) -> Estimate:
        """One count a task over its declared draws: Wilson for one repeat, the mean of task means for more.

        Where a source declares another number of repeats for each task, the rate is over draws, with the task as the unit.
        """
        read, found = self.read, sum(counts)
        if read.terms.repeats <= 1 or isinstance(read.declared, NotMeasured) or read.declared <= 0:
            return self.rate(found, read.declared, empty)
        if read.even:
            mean = repeat_mean(counts, read.terms.repeats)
            return self.measured(found, read.declared, mean.mean, mean.interval, TASK_MEANS)
        if read.sheet.unnamed or len(counts) < 2:
            return self.missing(UNEVEN, found, read.declared)
        drawn = drawn_mean(counts, read.exits.draws)
        return self.measured(found, read.declared, drawn.mean, drawn.interval, UNEVEN_DRAWS)

    def among(self, counts: Sequence[int], sizes: Sequence[int], empty: str) -> Estimate:
        """One count a task over those of its draws that are asked about (`sizes`): with repeats the task is the unit."""
        found, asked = sum(counts), sum(sizes)
        if self.read.terms.repeats <= 1 or asked <= 0:
            return self.rate(found, asked, empty)
        counts, sizes = list(compress(counts, sizes)), list(compress(sizes, sizes))
        if len(sizes) < 2:
            return self.number(found, asked, Fraction(found, asked), (ONE_TASK, ONE_TASK), UNEVEN_DRAWS)
        drawn = drawn_mean(counts, sizes)
        return self.measured(found, asked, drawn.mean, drawn.interval, UNEVEN_DRAWS)

    def measured(self, numerator: int, denominator: int, value: Number, interval: Interval, method: str) -> Estimate:
        """A measured estimate with its interval."""
        return self.number(numerator, denominator, value, (interval.lo, interval.hi), method)

    def number(
        self, numerator: int, denominator: int | NotMeasured, value: End, ends: tuple[End, End], method: str
    ) -> Estimate:
        """An estimate of which a value or an end may be missing; numbers become decimal text here."""
        lo, found, hi = (_text(number) for number in (ends[0], value, ends[1]))
        blank = self.missing(MEASURED, numerator, denominator)
        known = any(isinstance(number, str) for number in (lo, found, hi))
        return replace(blank, value=found, lo=lo, hi=hi, method=method if known else "")

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
            n_tasks=self.read.tasks,
            repeats=self.read.terms.repeats,
            secondary=self.secondary,
        )


def share(name: str, estimand: str, read: Reading, holds: Callable[[JudgedDraw], bool]) -> Estimate:
    """The share of declared draws of the solvable slice for which something holds.

    With repeats the task is the unit.
    """
    about, declared = About(name, estimand, "draws", read), read.declared
    if read.terms.repeats <= 1 or isinstance(declared, NotMeasured) or declared <= 0:
        return about.rate(read.count(holds), declared, NO_DRAW)
    if read.sheet.unnamed or len(read.exits) < 2:
        count = read.count(holds)
        return about.number(count, declared, Fraction(count, declared), (UNEVEN, UNEVEN), "counted over declared draws")
    return about.suite(read.by_task(holds), NO_DRAW)


def share_among(
    about: About, asked: Callable[[JudgedDraw], bool], holds: Callable[[JudgedDraw], bool], slice_: str, empty: str
) -> Estimate:
    """The share of those draws of a slice that are asked about for which something holds; with repeats the task is the unit."""
    draws = about.read.solvable if slice_ == "solvable" else grouped(about.read.sheet.draws, slice_)
    counts = draws.counts(draws.flags(lambda draw: asked(draw) and holds(draw)))
    return about.among(counts, draws.counts(draws.flags(asked)), empty)


def share_where_known(
    name: str,
    estimand: str,
    read: Reading,
    holds: Callable[[JudgedDraw], bool],
    known: Callable[[JudgedDraw], bool],
    unread: str,
) -> Estimate:
    """The same; while a draw is unread the count is only the least it can be, and there is no rate."""
    gaps = read.count(lambda draw: not known(draw))
    if not gaps:
        return share(name, estimand, read, holds)
    of = "1 draw" if gaps == 1 else f"{gaps} draws"
    why = NotMeasured(f"{unread} for {of}")
    return About(name, estimand, "draws", read).missing(why, read.count(holds), read.declared)


def parts(counts: Sequence[tuple[str, Number]]) -> tuple[tuple[str, str], ...]:
    """Numbers by part for `Estimate.by`: whole ones as they are, others with six digits."""
    return tuple((name, str(count) if isinstance(count, int) else decimal6(count)) for name, count in counts)


def _text(end: End) -> str | NotMeasured:
    if isinstance(end, NotMeasured):
        return end
    if isinstance(end, float) and isinf(end):
        return NotMeasured("it may be any larger number")
    return decimal6(end)
