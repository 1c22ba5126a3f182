"""Where a paired difference comes from: a few heavy tasks, or many; and how many tasks could not say anything."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from denominator.records.values import NotMeasured
from denominator.stats.quotients import quotient


def leave_one_out(diffs: Sequence[int], repeats: int) -> tuple[Fraction, Fraction] | NotMeasured:
    """Smallest and largest mean difference when any one task is left out."""
    if len(diffs) < 2:
        return NotMeasured("there is no second task to be left with")
    total, scale = sum(diffs), (len(diffs) - 1) * repeats
    return Fraction(total - max(diffs), scale), Fraction(total - min(diffs), scale)


def top_share(diffs: Sequence[int], top: int = 3) -> Fraction | NotMeasured:
    """Share of the sum of |d| that the `top` largest hold."""
    sizes = sorted((abs(d) for d in diffs), reverse=True)
    return quotient(sum(sizes[:top]), sum(sizes), "no task differs between the arms")


def pinned_both(passes_a: Sequence[int], passes_b: Sequence[int], repeats: int) -> int:
    """Tasks at the same end in both arms, all repeats passed or all failed: they cannot tell the arms apart."""
    return sum(a == b and a in (0, repeats) for a, b in zip(passes_a, passes_b, strict=True))


def sign_counts(diffs: Sequence[int]) -> tuple[int, int]:
    """Tasks on which A is ahead, tasks on which B is ahead; give both to `mcnemar` for the sign test."""
    return sum(d > 0 for d in diffs), sum(d < 0 for d in diffs)
