"""May labels by people move a published count? All agreement figures of two labelers, with intervals and the two rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from denominator.records.values import NotMeasured
from denominator.stats.agreement import NO_ITEM, Pattern, Patterns, krippendorff
from denominator.stats.kappa import cohen_kappa, gwet_ac1, kappa_interval, raw_agreement, two_labelers
from denominator.stats.prng import Prng
from denominator.stats.rates import LEVEL, Interval, wilson, z_quantile

LEAST_ITEMS = 50
ALPHA_POINT = Fraction(80, 100)
ALPHA_LOWER = 0.667
RESAMPLES = 1000
FIXED_SEED = 1

Statistic = Callable[[Patterns], Fraction | NotMeasured]


@dataclass(frozen=True, slots=True)
class Reliability:
    """Figures in [-1, 1] (raw in [0, 1]). `enough`: at least 50 items; `reliable`: also alpha >= .80, lower >= .667."""

    items: int
    raw: Fraction | NotMeasured
    raw_interval: Interval
    alpha: Fraction | NotMeasured
    alpha_interval: Interval | NotMeasured
    kappa: Fraction | NotMeasured
    kappa_interval: Interval | NotMeasured
    ac1: Fraction | NotMeasured
    ac1_interval: Interval | NotMeasured
    confusion: tuple[tuple[str, str, int], ...]
    enough: bool
    reliable: bool


def reliability(items: Patterns, categories: int) -> Reliability:
    """Everything about two labelers over `categories` possible labels; below 50 items nothing may rest on it."""
    table = two_labelers(items)
    n = sum(table.values())
    value, raw = krippendorff(items), raw_agreement(items)
    bounds = item_bootstrap(items, krippendorff)
    good = isinstance(value, Fraction) and value >= ALPHA_POINT
    sure = isinstance(bounds, Interval) and bounds.lo >= ALPHA_LOWER
    same = sum(count for (first, second), count in table.items() if first == second)
    return Reliability(
        items=n,
        raw=raw,
        raw_interval=wilson(same, n, z_quantile()),
        alpha=value,
        alpha_interval=bounds,
        kappa=cohen_kappa(items),
        kappa_interval=kappa_interval(items),
        ac1=gwet_ac1(items, categories),
        ac1_interval=item_bootstrap(items, lambda resampled: gwet_ac1(resampled, categories)),
        confusion=tuple((first, second, count) for (first, second), count in sorted(table.items())),
        enough=n >= LEAST_ITEMS,
        reliable=n >= LEAST_ITEMS and good and sure,
    )


def item_bootstrap(
    items: Patterns,
    statistic: Statistic,
    level: Fraction = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = FIXED_SEED,
) -> Interval | NotMeasured:
    """Percentile interval over resampled items, by the counter-based generator: the same items, the same interval.

    Only items with two labels are drawn. A resample without a value counts as the lowest at the lower end and as the
    highest at the upper; an end that falls among those is not measured.
    """
    pool = [pattern for pattern, count in sorted(items.items(), key=_order) if _double(pattern) for _ in range(count)]
    if not pool:
        return NotMeasured(NO_ITEM)
    prng, found = Prng(seed, "item bootstrap"), []
    for _ in range(resamples):
        value = statistic(Counter(pool[prng.below(len(pool))] for _ in pool))
        found.append(value)
    known = sorted(value for value in found if isinstance(value, Fraction))
    missing, tail = resamples - len(known), (1 - level) / 2
    low = -(-resamples * tail.numerator // tail.denominator) - 1 - missing
    high = resamples - 1 - (resamples * tail.numerator // tail.denominator)
    if low < 0 or high >= len(known):
        return NotMeasured(f"{missing} of {resamples} resamples have only one label")
    return Interval(float(known[low]), float(known[high]))


def _double(pattern: Pattern) -> bool:
    return sum(mark is not None for mark in pattern) >= 2


def _order(entry: tuple[Pattern, int]) -> tuple[str, ...]:
    return tuple("" if mark is None else f"={mark}" for mark in entry[0])
