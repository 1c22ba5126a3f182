"""Tokens and times of the two arms: only where both measured them and their windows overlap; else why not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

from denominator.compare.paired import by_task
from denominator.compare.windows import overlap_note, window_of
from denominator.records.comparisons import Side
from denominator.records.estimates import Estimate
from denominator.records.judgements import JudgedDraw
from denominator.records.values import NotMeasured
from denominator.stats import decimal6, paired_log_ratio, quantile_interval, quantile_type7

MEDIAN = Fraction(1, 2)
SPEND = "tokens per accepted patch of A over that of B"
WALL = "median over tasks of the median wall time of a draw"


@dataclass(frozen=True, slots=True)
class Costs:
    """Tokens and accepted (0 or 1) of every declared task of one arm."""

    tokens: tuple[int, ...]
    accepted: tuple[int, ...]


def resources(a: Side, b: Side) -> tuple[Estimate, ...]:
    """The ratio of spend, and the median wall time of each arm."""
    late = _apart(a, b)
    return (_spend(a, b, late), *(_wall(letter, side, late) for letter, side in (("a", a), ("b", b))))


def _apart(a: Side, b: Side) -> str:
    """Why the two windows cannot be set side by side; empty when they overlap."""
    text, overlap = overlap_note(a, b, window_of(a, {}), window_of(b, {}))
    return "" if overlap else text


def _spend(a: Side, b: Side, late: str) -> Estimate:
    of_a, of_b = _costs(a), _costs(b)
    if isinstance(of_a, NotMeasured):
        return _estimate("spend_ratio", SPEND, of_a, "ratio")
    if isinstance(of_b, NotMeasured):
        return _estimate("spend_ratio", SPEND, of_b, "ratio")
    if late:
        return _estimate("spend_ratio", SPEND, NotMeasured(late), "ratio")
    found = paired_log_ratio(of_a.tokens, of_a.accepted, of_b.tokens, of_b.accepted)
    value = found.value if isinstance(found.value, NotMeasured) else decimal6(found.value)
    ends = found.interval
    lo, hi = (ends, ends) if isinstance(ends, NotMeasured) else (decimal6(ends.lo), decimal6(ends.hi))
    return _estimate("spend_ratio", SPEND, value, "ratio", lo, hi, "log-linearised paired t", len(of_a.tokens))


def _costs(side: Side) -> Costs | NotMeasured:
    """Tokens of all attempts of a task; unknown usage of one makes the whole unknown, for it would look cheap."""
    tokens, accepted = [], []
    for task, draws in sorted(by_task(side.sheet).items()):
        if len(draws) > 1:
            return NotMeasured("spend per accepted patch is of one draw a task; these have repeats")
        spent = _tokens(draws[0])
        if isinstance(spent, NotMeasured):
            return NotMeasured(f"{side.name}, {task}: {spent.not_measured}")
        tokens.append(spent)
        accepted.append(int("pass" in (draws[0].outcomes or (draws[0].exit,))))
    return Costs(tuple(tokens), tuple(accepted)) if tokens else NotMeasured("no task was declared")


def _tokens(draw: JudgedDraw) -> int | NotMeasured:
    total = 0
    for row in draw.tries:
        if isinstance(row.usage.prompt, NotMeasured) or isinstance(row.usage.completion, NotMeasured):
            return NotMeasured("tokens were not recorded")
        if row.usage.complete is False:
            return NotMeasured("the record of tokens is not complete")
        total += row.usage.prompt + row.usage.completion
    return total


def _wall(letter: str, side: Side, late: str) -> Estimate:
    metric = f"median_wall_ms_{letter}"
    values = _medians(side, lambda draw: NotMeasured("it never started") if draw.row is None else draw.row.wall_ms)
    if isinstance(values, NotMeasured) or late:
        return _estimate(metric, WALL, values if isinstance(values, NotMeasured) else NotMeasured(late), "ms")
    middle = quantile_type7(values, MEDIAN)
    lo, hi = quantile_interval(values, MEDIAN)
    return _estimate(
        metric,
        WALL,
        middle if isinstance(middle, NotMeasured) else decimal6(middle),
        "ms",
        lo if isinstance(lo, NotMeasured) else decimal6(lo),
        hi if isinstance(hi, NotMeasured) else decimal6(hi),
        "order statistics over tasks",
        len(values),
    )


def _medians(side: Side, read: Callable[[JudgedDraw], int | NotMeasured]) -> list[Fraction] | NotMeasured:
    found = []
    for task, draws in sorted(by_task(side.sheet).items()):
        known = [value for draw in draws if not isinstance(value := read(draw), NotMeasured)]
        if len(known) < len(draws):
            return NotMeasured(f"{side.name}, {task}: wall time was not recorded for every draw")
        found.append(_middle(known))
    return found or NotMeasured("no task was declared")


def _middle(values: Iterable[int]) -> Fraction:
    found = quantile_type7(list(values), MEDIAN)
    return Fraction(0) if isinstance(found, NotMeasured) else found


def _estimate(
    metric: str,
    estimand: str,
    value: str | NotMeasured,
    unit: str,
    lo: str | NotMeasured | None = None,
    hi: str | NotMeasured | None = None,
    method: str = "",
    n: int | NotMeasured = NotMeasured("not measured"),
) -> Estimate:
    none = value if isinstance(value, NotMeasured) else NotMeasured("no interval")
    return Estimate(
        metric=metric,
        estimand=estimand,
        numerator=NotMeasured("no count"),
        denominator=NotMeasured("no count"),
        unit=unit,
        value=value,
        lo=none if lo is None else lo,
        hi=none if hi is None else hi,
        method=method,
        n_tasks=n,
        secondary=True,
    )
