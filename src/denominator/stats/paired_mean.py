"""The mean difference over tasks with K repeats: floored paired t, with tasks or clusters of tasks as the unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from denominator.records.values import NotMeasured
from denominator.stats.rates import LEVEL, Interval, z_quantile
from denominator.stats.student import t_quantile

FLOOR = Fraction(1)


@dataclass(frozen=True, slots=True)
class PairedMean:
    """Mean of per-task rate differences A - B, its standard error over tasks like these, and the interval."""

    mean: Fraction
    se: float
    units: int
    interval: Interval


def paired_t(
    diffs: Sequence[int],
    repeats: int,
    level: Fraction = LEVEL,
    floor: Fraction = FLOOR,
    sizes: Sequence[int] | None = None,
) -> PairedMean | NotMeasured:
    """t interval of the mean of d/K with its sum of squares kept at `floor` or above, so that it never has no width.

    The floor of 1 stands for one full swing that was not seen (a choice, STATISTICS 7); 0 gives the plain paired t.
    With `sizes` each difference is the sum over a cluster of so many tasks; the error is the cluster-robust one and
    the floor a full swing of an average cluster. Raises ValueError for a difference outside -K..K per task.
    """
    units = len(diffs)
    counts = [1] * units if sizes is None else list(sizes)
    if any(abs(d) > repeats * size for d, size in zip(diffs, counts, strict=True)):
        raise ValueError("a difference is larger than the number of repeats")
    if units < 2:
        return NotMeasured("one unit or none has no spread")
    tasks = sum(counts)
    total = sum(diffs)
    mean = Fraction(total, tasks * repeats)
    # Whole numbers until the last step: residuals times tasks * repeats.
    squares = Fraction(
        sum((d * tasks - total * size) ** 2 for d, size in zip(diffs, counts, strict=True)), (tasks * repeats) ** 2
    )
    squares = max(squares, floor * Fraction(tasks, units) ** 2)
    se = sqrt(squares * Fraction(units, units - 1)) / tasks
    half = t_quantile(float((1 + level) / 2), units - 1) * se
    return PairedMean(mean, se, units, Interval(max(-1.0, float(mean) - half), min(1.0, float(mean) + half)))


def these_tasks(
    passes_a: Sequence[int], passes_b: Sequence[int], repeats: int, level: Fraction = LEVEL
) -> PairedMean | NotMeasured:
    """The mean difference on exactly these tasks, +- z times its within-task error; needs K > 1. Not "A is better"."""
    if repeats < 2:
        return NotMeasured("one repeat cannot show how much repeats differ")
    if not passes_a:
        return NotMeasured("there is no task that both arms ran")
    n = len(passes_a)
    mean = Fraction(sum(a - b for a, b in zip(passes_a, passes_b, strict=True)), n * repeats)
    spread = sum(count * (repeats - count) for count in (*passes_a, *passes_b))
    se = sqrt(Fraction(spread, repeats**2 * (repeats - 1))) / n
    half = z_quantile(level) * se
    why = "" if se else "no repeat differed: no width is not certainty"
    return PairedMean(mean, se, n, Interval(max(-1.0, float(mean) - half), min(1.0, float(mean) + half), why))
