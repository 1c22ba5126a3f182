"""Columns of whole numbers of a million draws, and what is counted in them."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice, repeat

Column = Sequence[int]


class Numbers:
    """Columns with a number of every attempt, in the order of the draws; each is put into that order when it is asked for.

    `columns` are in any order, of which `attempts` says where each attempt is.
    """

    def __init__(self, columns: Mapping[str, array[int]], attempts: array[int]) -> None:
        in_order = attempts == array(attempts.typecode, range(len(attempts)))
        self._attempts = attempts
        self._ordered = {name: one for name, one in columns.items() if in_order and len(one) == len(attempts)}
        self._given = {name: one for name, one in columns.items() if name not in self._ordered}

    def __getitem__(self, name: str) -> array[int]:
        """One column."""
        if name not in self._ordered:
            given = self._given.pop(name)
            self._ordered[name] = array(given.typecode, map(given.__getitem__, self._attempts))
        return self._ordered[name]


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


def how_often(codes: Iterable[int], many: int) -> Sequence[int]:
    """How many entries there are of each code from 0 to below `many`."""
    found = Counter(codes)
    return [found[code] for code in range(many)]


def sums_of(values: Column, sizes: Iterable[int]) -> Column:
    """Values added up: the first `sizes[0]` of them, then the next `sizes[1]`, and so on."""
    # Sizes may be a column of bytes, which `array` would take for what it looks like in memory.
    known = array("I")
    known.extend(sizes)
    return column(lambda: map(sum, parted(values, known)))


def parted(values: Iterable[int], sizes: Iterable[int]) -> Iterable[Iterable[int]]:
    """Values in parts of some sizes; a part is gone when the next one is asked for."""
    return map(islice, repeat(iter(values)), sizes)
