"""Two arms over different tasks, K repeats each: the difference of the two effective-n intervals."""

from __future__ import annotations

from collections.abc import Sequence

from denominator.stats.hybrids import mover
from denominator.stats.rates import Interval
from denominator.stats.repeats import repeat_mean


def unpaired_repeats(passes_a: Sequence[int], repeats_a: int, passes_b: Sequence[int], repeats_b: int) -> Interval:
    """Mean of task means of A less that of B, 95% (MOVER). Raises ValueError below two tasks in an arm.

    Where task ids overlap the paired functions are owed; the caller must refuse.
    """
    a, b = repeat_mean(passes_a, repeats_a), repeat_mean(passes_b, repeats_b)
    return mover(float(a.mean), a.interval, float(b.mean), b.interval)
