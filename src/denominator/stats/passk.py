"""pass@k and pass^k from c passes in n draws of one task: the unbiased forms, never a plugged-in rate."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb

from denominator.records.values import NotMeasured


def pass_at_k(n: int, c: int, k: int) -> Fraction | NotMeasured:
    """P(at least one of k draws without replacement passes) = 1 - C(n-c,k)/C(n,k) (Chen et al. 2021)."""
    return _chance(n, c, k, lambda: 1 - Fraction(comb(n - c, k), comb(n, k)))


def pass_hat_k(n: int, c: int, k: int) -> Fraction | NotMeasured:
    """P(all of k draws without replacement pass) = C(c,k)/C(n,k) (Yao et al. 2024, tau-bench)."""
    return _chance(n, c, k, lambda: Fraction(comb(c, k), comb(n, k)))


def _chance(n: int, c: int, k: int, value: Callable[[], Fraction]) -> Fraction | NotMeasured:
    if not 0 <= c <= n or k < 1:
        raise ValueError(f"{c} of {n} with k = {k} is not a count")
    return NotMeasured(f"k = {k} needs at least {k} repeats, there are {n}") if k > n else value()
