"""Columns of whole numbers of a million draws, and what is counted in them."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import compress, islice, repeat
from typing import TypeVar

T = TypeVar("T")
Column = Sequence[int]
SPARSE = 16
"""Where less than one flag in so many is set, to find the next one takes less time than to look at all."""


class InOrder(Sequence[int]):
    """A column of which it is known that its numbers are in order."""


def column(make: Callable[[], Iterable[int]]) -> Column:
    """Whole numbers in an array, or in a list where one of them needs more than eight bytes."""
    try:
        return array("q", make())
    except OverflowError:
        return list(make())


def both(one: bytes, other: bytes) -> bytes:
    """1 where both have one: as large numbers they are compared in one go."""
    found = int.from_bytes(one, "little") & int.from_bytes(other, "little")
    return found.to_bytes(len(one), "little")


def places(flags: bytes) -> Iterable[int]:
    """Where flags are set. Where few are, the others are not looked at one by one."""
    return _few(flags) if flags.count(1) * SPARSE < len(flags) else compress(range(len(flags)), flags)


def _few(flags: bytes) -> Iterator[int]:
    at = flags.find(1)
    while at >= 0:
        yield at
        at = flags.find(1, at + 1)


def sums_of(values: Column, sizes: Iterable[int]) -> Column:
    """Values added up: the first `sizes[0]` of them, then the next `sizes[1]`, and so on."""
    # Sizes may be a column of bytes, which `array` would take for what it looks like in memory, or an array of another width.
    known = array("I")
    known.extend(iter(sizes))
    return column(lambda: map(sum, parted(values, known)))


def parted(values: Iterable[T], sizes: Iterable[int]) -> Iterable[Iterable[T]]:
    """Values in parts of some sizes; a part is gone when the next one is asked for."""
    return map(islice, repeat(iter(values)), sizes)
