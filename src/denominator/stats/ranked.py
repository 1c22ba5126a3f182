"""Order statistics of a million whole numbers, without putting them in order: only the numbers near an asked place are sorted."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate, compress, repeat
from operator import rshift
from typing import Any, TypeVar, overload

from denominator.records.columns import InOrder

T = TypeVar("T")
BITS = 6


class Ranked(Sequence[int]):
    """Numbers by their place in order, from 0. They are counted by their highest bits; those that share them are sorted when
    a place among them is asked for."""

    def __init__(self, values: Sequence[int]) -> None:
        self._values, self._known = values, dict[int, Sequence[int]]()
        if isinstance(values, InOrder):
            self._parts, self._ends, self._known[0] = [0], [len(values)], values
            return
        spread = max(values, default=0) - min(values, default=0)
        self._shift = max(0, spread.bit_length() - BITS)
        counts = sorted(Counter(self._high()).items())
        self._parts = [part for part, _ in counts]
        self._ends = list(accumulate(many for _, many in counts))

    def _high(self) -> Iterable[int]:
        return map(rshift, self._values, repeat(self._shift))

    def __len__(self) -> int:
        return len(self._values)

    @overload
    def __getitem__(self, at: int, /) -> int: ...
    @overload
    def __getitem__(self, at: slice, /) -> list[int]: ...
    def __getitem__(self, at: int | slice, /) -> int | list[int]:
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        place = range(len(self))[at]
        number = bisect_right(self._ends, place)
        if number not in self._known:
            self._known[number] = sorted(compress(self._values, map(self._parts[number].__eq__, self._high())))
        return self._known[number][place - self._ends[number]]


def in_order(values: Sequence[T]) -> Sequence[T]:
    """Values by place in their order."""
    found: Any = values if isinstance(values, Ranked) else sorted(values)
    return found  # type: ignore[no-any-return]
