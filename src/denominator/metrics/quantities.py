"""Quantiles of amounts: one value a task, intervals from order statistics over tasks, the rank rule named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from denominator.metrics.amounts import Amounts
from denominator.metrics.reading import Reading
from denominator.metrics.shape import About, parts
from denominator.records.columns import Column, column
from denominator.records.estimates import Estimate
from denominator.records.values import NotMeasured
from denominator.stats import least_n_for_upper, nearest_rank, quantile_interval, quantile_type7
from denominator.stats.quantiles import MEDIAN, P95, RANK_RULE
from denominator.stats.ranked import Ranked

ORDER = f"ends are order statistics of them ({RANK_RULE})"
Point = Fraction | int | NotMeasured


def median(about: About, values: Amounts, out_of: int | NotMeasured, empty: str) -> Estimate:
    """The median over tasks of each task's median, type 7."""
    return _quantile(about, values, out_of, empty, MEDIAN, _middle, f"median (type 7) of one median a task; {ORDER}")


def p95(about: About, values: Amounts, out_of: int | NotMeasured, empty: str) -> Estimate:
    """The 95th percentile over tasks of each task's own, nearest rank."""
    return _quantile(about, values, out_of, empty, P95, _high, f"nearest rank p95 of one p95 a task; {ORDER}")


def gaps(values: Amounts) -> NotMeasured | None:
    """How many values nobody recorded, if any."""
    if not values.lost:
        return None
    total = values.known + values.lost
    return NotMeasured("not recorded" if not values.known else f"not recorded for {values.lost} of {total}")


def _quantile(
    about: About,
    values: Amounts,
    out_of: int | NotMeasured,
    empty: str,
    q: Fraction,
    point: Callable[[Sequence[int]], Point],
    method: str,
) -> Estimate:
    numbers = values.known
    if (why := gaps(values)) is not None:
        return about.missing(why, numbers, out_of)
    if not numbers:
        return about.missing(NotMeasured(empty), 0, out_of)
    halves = Ranked(_halves(values, point))
    lo, hi = (end if isinstance(end, NotMeasured) else Fraction(end, 2) for end in quantile_interval(halves, q))
    value = point(halves)
    if isinstance(hi, NotMeasured) and q == P95:
        hi = NotMeasured(f"no upper bound of p95 from {len(halves)} tasks: {_needed()}")
    return about.number(
        numbers, out_of, value if isinstance(value, NotMeasured) else value / Fraction(2), (lo, hi), method
    )


def _needed() -> str:
    one_sided, two_sided = least_n_for_upper(P95), least_n_for_upper(P95, Fraction(975, 1000))
    return f"it takes {one_sided} for one side, {two_sided} for both"


def _halves(values: Amounts, point: Callable[[Sequence[int]], Point]) -> Column:
    """Twice the value that stands for each task, tasks in any order: a median of whole numbers ends in a half at most, and
    ints sort fast."""
    if values.single:
        return values.work.added(values.values, values.values)
    if point is _middle:
        return values.work.middles(values.values, values.sizes)
    return column(
        lambda: (
            0 if isinstance(found := point(one), NotMeasured) else int(2 * found)
            for one in map(sorted, values.by_task())
        )
    )


def _middle(values: Sequence[int]) -> Point:
    return quantile_type7(values, MEDIAN)


def _high(values: Sequence[int]) -> Point:
    return nearest_rank(values, P95)


def no_latency(read: Reading) -> NotMeasured | None:
    """Why latencies of valid calls are unknown, if they are."""
    if read.calls_made == 0:
        return NotMeasured("no call was made")
    if not read.sheet.ledger.calls:
        return NotMeasured("calls were not recorded one by one")
    times = read.call_times
    return gaps(times) if times.known or times.lost else NotMeasured("no call was valid")


def latency(about: About, point: Callable[[About, Amounts, int | NotMeasured, str], Estimate]) -> Estimate:
    """A quantile of the valid calls; the calls that have no latency because they never came to an answer beside it."""
    read = about.read
    if (why := no_latency(read)) is not None:
        return about.missing(why, read.call_times.known, read.calls_made)
    found = point(about, read.call_times, read.calls_made, "no call was valid")
    lost = 0 if isinstance(read.calls, NotMeasured) else read.calls.invalid
    return replace(found, by=parts((("without_valid_answer", lost),))) if lost else found
