"""The interval of one rate: Wilson's score interval with the exact normal quantile."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from statistics import NormalDist

LEVEL = Fraction(95, 100)


@dataclass(frozen=True, slots=True)
class Interval:
    """Two ends, in the unit of what they bound. `reason` says why they are the whole range or say less than they seem."""

    lo: float
    hi: float
    reason: str = ""


def z_quantile(level: Fraction = LEVEL) -> float:
    """The two-sided normal quantile of a confidence level; 1.959963984540054 at 0.95."""
    return NormalDist().inv_cdf(float((1 + level) / 2))


def wilson(successes: Fraction | float | int, trials: Fraction | float | int, z: float | None = None) -> Interval:
    """Wilson 1927. Nothing observed says nothing: (0, 0) is [0, 1]. Raises ValueError outside 0 <= k <= n."""
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} of {trials} is not a count")
    if trials == 0:
        return Interval(0.0, 1.0, "nothing was observed")
    quantile = z_quantile() if z is None else z
    n, square = float(trials), quantile * quantile
    share = float(successes) / n
    centre = share + square / (2 * n)
    spread = quantile * sqrt(share * (1 - share) / n + square / (4 * n * n))
    scale = 1 + square / n
    lo = 0.0 if successes == 0 else max(0.0, (centre - spread) / scale)
    hi = 1.0 if successes == trials else min(1.0, (centre + spread) / scale)
    return Interval(lo, hi)
