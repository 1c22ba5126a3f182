"""A ratio of sums over tasks, such as tokens per accepted patch (QAP): linearised errors on the log scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, inf, log, sqrt
from operator import mul

from denominator.records.values import NotMeasured
from denominator.stats.rates import LEVEL, Interval
from denominator.stats.student import t_quantile

LEAST_ACCEPTED = 5
NONE_ACCEPTED = NotMeasured("nothing was accepted, so there is no cost of one; it is at least the total")
FEW_ACCEPTED = NotMeasured(f"fewer than {LEAST_ACCEPTED} accepted: an interval would be unbounded too often")


@dataclass(frozen=True, slots=True)
class Ratio:
    """sum(costs) / sum(accepted), in the unit of the costs, `at_least` when there is no value; error and interval."""

    value: Fraction | NotMeasured
    at_least: Fraction
    se: float | NotMeasured
    interval: Interval | NotMeasured


def ratio_of_sums(costs: Sequence[int], accepted: Sequence[int], level: Fraction = LEVEL, *, repeats: int = 1) -> Ratio:
    """One cost and one 0/1 a task, over ALL declared tasks. CI = q exp(-+ t se/q), se from costs - q * accepted.

    With `repeats` a task has one sum of costs and 0..repeats accepted: it stays the unit, and the tasks with any accepted
    are what an interval needs enough of. Linearisation as in Cochran 1977, chapter 6. Raises ValueError for negative
    costs, other than 0..repeats, odd lengths.
    """
    _check(costs, accepted, repeats)
    n, total, wins = len(costs), sum(costs), sum(accepted)
    if wins == 0:
        return Ratio(NONE_ACCEPTED, Fraction(total), NONE_ACCEPTED, NONE_ACCEPTED)
    value = Fraction(total, wins)
    if n < 2 or total == 0:
        why = NotMeasured("one task or no cost has no spread")
        return Ratio(value, value, why, why)
    squares = _squares(costs, accepted, value)
    se = sqrt(squares * Fraction(n, n - 1)) / wins
    if sum(map((0).__lt__, accepted)) < LEAST_ACCEPTED:
        return Ratio(value, value, se, FEW_ACCEPTED)
    return Ratio(value, value, se, _log_interval(log(value), se / float(value), n, level))


def jackknife_log_se(costs: Sequence[int], accepted: Sequence[int]) -> float | NotMeasured:
    """Error of log(sum costs / sum accepted) from leaving out one task at a time (Tukey 1958); a cross-check."""
    _check(costs, accepted)
    n, total, wins = len(costs), sum(costs), sum(accepted)
    parts = [(total - cost, wins - won) for cost, won in zip(costs, accepted, strict=True)]
    if n < 2 or any(cost <= 0 or won <= 0 for cost, won in parts):
        return NotMeasured("without one of the tasks there is no ratio")
    logs = [log(cost / won) for cost, won in parts]
    mean = sum(logs) / n
    return sqrt((n - 1) / n * sum((value - mean) ** 2 for value in logs))


def paired_log_ratio(
    costs_a: Sequence[int], accepted_a: Sequence[int], costs_b: Sequence[int], accepted_b: Sequence[int]
) -> Ratio:
    """Cost per accepted of A over that of B on the same tasks; interval exp(L -+ t se), claim when it excludes 1.

    u_i = T_Ai/mean(T_A) - A_i/mean(A) - T_Bi/mean(T_B) + B_i/mean(B); `se` is on the log scale.
    """
    for costs, accepted in ((costs_a, accepted_a), (costs_b, accepted_b)):
        _check(costs, accepted)
    columns = (costs_a, accepted_a, costs_b, accepted_b)
    n, sums = len(costs_a), [sum(column) for column in columns]
    if n < 2 or not all(sums):
        why = NotMeasured("an arm accepted nothing or spent nothing, or there is one task")
        return Ratio(why, Fraction(0), why, why)
    ratio = Fraction(sums[0] * sums[3], sums[1] * sums[2])
    signs = (1, -1, -1, 1)
    parts = [
        sum(sign * Fraction(value * n, whole) for sign, value, whole in zip(signs, row, sums, strict=True))
        for row in zip(*columns, strict=True)
    ]
    se = sqrt(sum((Fraction(part) ** 2 for part in parts), Fraction(0)) / (n * (n - 1)))
    few = min(sums[1], sums[3]) < LEAST_ACCEPTED
    return Ratio(ratio, ratio, se, FEW_ACCEPTED if few else _log_interval(log(ratio), se, n, LEVEL))


def _squares(costs: Sequence[int], accepted: Sequence[int], value: Fraction) -> Fraction:
    """The sum of (cost - value * accepted)^2 over tasks, exactly, from three sums of whole numbers."""
    pairs = ((costs, costs), (costs, accepted), (accepted, accepted))
    cost, both, won = (Fraction(sum(map(mul, *pair))) for pair in pairs)
    return cost - 2 * value * both + value * value * won


def _log_interval(centre: float, se: float, n: int, level: Fraction) -> Interval:
    half = t_quantile(float((1 + level) / 2), n - 1) * se
    return Interval(exp(centre - half), exp(centre + half) if centre + half < 700 else inf)


def _check(costs: Sequence[int], accepted: Sequence[int], most: int = 1) -> None:
    uncounted = any(won != int(won) or not 0 <= won <= most for won in set(accepted))
    if len(costs) != len(accepted) or min(costs, default=0) < 0 or uncounted:
        raise ValueError(f"needs one cost that is not negative and one count from 0 to {most} for each task")
