"""Two labelers: raw agreement, Cohen's kappa with its error, Gwet's AC1. Print all: each misleads alone."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import sqrt

from denominator.records.values import NotMeasured
from denominator.stats.agreement import NO_ITEM, ONE_VALUE, Patterns
from denominator.stats.quotients import quotient
from denominator.stats.rates import LEVEL, Interval, z_quantile


def raw_agreement(items: Patterns) -> Fraction | NotMeasured:
    """Share of doubly labelled items on which two labelers give the same label."""
    table = two_labelers(items)
    same = sum(count for (first, second), count in table.items() if first == second)
    return quotient(same, sum(table.values()), NO_ITEM)


def cohen_kappa(items: Patterns) -> Fraction | NotMeasured:
    """Cohen 1960, two labelers: (observed - expected) / (1 - expected) with each labeler's own shares."""
    observed = raw_agreement(items)
    if isinstance(observed, NotMeasured):
        return observed
    expected = sum((a * b for a, b in _margins(items).values()), Fraction(0))
    return ONE_VALUE if expected == 1 else (observed - expected) / (1 - expected)


def kappa_se(items: Patterns) -> float | NotMeasured:
    """Large-sample error of kappa (Fleiss, Cohen and Everitt 1969)."""
    value = cohen_kappa(items)
    if isinstance(value, NotMeasured):
        return value
    table, margins = two_labelers(items), _margins(items)
    n = sum(table.values())
    expected = sum((a * b for a, b in margins.values()), Fraction(0))
    same = apart = Fraction(0)
    for (first, second), count in table.items():
        # Row share of the label that the second gave, column share of the label that the first gave.
        weight = margins[first][1] + margins[second][0]
        if first == second:
            same += Fraction(count, n) * (1 - weight * (1 - value)) ** 2
        else:
            apart += Fraction(count, n) * weight**2
    centre = (value - expected * (1 - value)) ** 2
    return sqrt(max(Fraction(0), same + (1 - value) ** 2 * apart - centre) / n) / float(1 - expected)


def kappa_interval(items: Patterns, level: Fraction = LEVEL) -> Interval | NotMeasured:
    """kappa -+ z se, inside [-1, 1]."""
    value, se = cohen_kappa(items), kappa_se(items)
    if isinstance(value, NotMeasured):
        return value
    if isinstance(se, NotMeasured):
        return se
    half = z_quantile(level) * se
    return Interval(max(-1.0, float(value) - half), min(1.0, float(value) + half))


def gwet_ac1(items: Patterns, categories: int) -> Fraction | NotMeasured:
    """Gwet 2008, two labelers, `categories` possible labels: steady where nearly all items share one label."""
    observed = raw_agreement(items)
    if isinstance(observed, NotMeasured):
        return observed
    shares = [(a + b) / 2 for a, b in _margins(items).values()]
    if categories < max(2, len(shares)):
        return NotMeasured(f"{categories} categories are too few for {len(shares)} labels")
    chance = sum((share * (1 - share) for share in shares), Fraction(0)) / (categories - 1)
    return (observed - chance) / (1 - chance)


def two_labelers(items: Patterns) -> dict[tuple[str, str], int]:
    """The confusion table over items that both labelers marked. Raises ValueError unless there are two labelers."""
    table: dict[tuple[str, str], int] = {}
    for pattern, count in items.items():
        if len(pattern) != 2:
            raise ValueError("this needs exactly two labelers")
        first, second = pattern
        if first is not None and second is not None:
            table[first, second] = table.get((first, second), 0) + count
    return table


def _margins(items: Patterns) -> dict[str, tuple[Fraction, Fraction]]:
    """Each label's share with the first and with the second labeler."""
    table = two_labelers(items)
    n = sum(table.values())
    first: Counter[str] = Counter()
    second: Counter[str] = Counter()
    for (a, b), count in table.items():
        first[a] += count
        second[b] += count
    return {label: (Fraction(first[label], n), Fraction(second[label], n)) for label in sorted({*first, *second})}
