"""Do labelers agree beyond chance? Krippendorff's alpha over items with two labels or more.

Items are given as counts of rating patterns, one label a labeler, None where there is none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from denominator.records.values import NotMeasured

Pattern = tuple[str | None, ...]
Patterns = Mapping[Pattern, int]
ONE_VALUE = NotMeasured("all labels are the same value: agreement beyond chance is undefined")
NO_ITEM = "no item has two labels"


def patterns(ratings: Sequence[Sequence[str | None]]) -> Counter[Pattern]:
    """From one row of labels a labeler, in the same item order. Raises ValueError when the rows differ in length."""
    return Counter(zip(*ratings, strict=True))


def krippendorff(items: Patterns) -> Fraction | NotMeasured:
    """Krippendorff's alpha, nominal (2011), any number of labelers: 1 - observed over expected disagreement."""
    values: Counter[str] = Counter()
    observed = Fraction(0)
    for pattern, count in items.items():
        marks = Counter(mark for mark in pattern if mark is not None)
        size = marks.total()
        if size < 2:
            continue
        for mark, times in marks.items():
            values[mark] += times * count
        apart = size * size - sum(times * times for times in marks.values())
        observed += Fraction(apart * count, size - 1)
    n = values.total()
    expected = n * n - sum(times * times for times in values.values())
    if not n:
        return NotMeasured(NO_ITEM)
    return 1 - observed * (n - 1) / expected if expected else ONE_VALUE
