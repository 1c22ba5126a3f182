"""What is done to whole columns of numbers. A reader that holds columns in another way gives another `Work`, which must give the
same numbers."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, compress, count, islice, starmap
from operator import add, eq, itemgetter, ne

from denominator.records.columns import Column, column, sums_of

NARROW = 1 << 31


class Work:
    """All of it with the standard library."""

    def picked(self, values: Column, places: Column) -> Column:
        """The values at some places."""
        if isinstance(values, array):
            return array(values.typecode, map(values.__getitem__, places))
        return column(lambda: map(values.__getitem__, places))

    def picked_or(self, values: Column, places: Column, missing: int) -> Column:
        """The values at some places; `missing` where a place is -1."""
        every = values[:] if isinstance(values, array) else array("q", iter(values))
        every.append(missing)
        return array(every.typecode, map(every.__getitem__, places))

    def kept(self, values: Column, flags: bytes) -> Column:
        """The values whose flag is set."""
        if isinstance(values, array):
            return array(values.typecode, compress(values, flags))
        return column(lambda: compress(values, flags))

    def total(self, values: Column, flags: bytes) -> int:
        """What these add up to."""
        return sum(compress(values, flags))

    def added(self, one: Column, other: Column) -> Column:
        """Two columns added up, entry by entry."""
        return column(lambda: map(add, one, other))

    def of_codes(self, numbers: Sequence[int], codes: Column) -> Column:
        """A number for every entry, given one for every code."""
        if not numbers or (min(numbers) >= -NARROW and max(numbers) < NARROW):
            return array("i", map(numbers.__getitem__, codes))
        return column(lambda: map(numbers.__getitem__, codes))

    def bytes_of_codes(self, table: bytes, codes: Column) -> bytes:
        """A byte for every entry, given one for every code."""
        return bytes(map(table.__getitem__, codes))

    def ranges(self, begins: Sequence[int], sizes: Sequence[int], codes: Column) -> Column:
        """For every entry the numbers from that of its code on, as many as its code has, given both for every code."""
        every = [range(begin, begin + size) for begin, size in zip(begins, sizes, strict=True)]
        return array("i", chain.from_iterable(map(every.__getitem__, codes)))

    def how_often(self, codes: Column, many: int) -> Sequence[int]:
        """How many entries there are of each code from 0 to below `many`."""
        found = Counter(codes)
        return [found[code] for code in range(many)]

    def distinct(self, codes: Column) -> Iterable[int]:
        """Every code once, in the order in which they come first."""
        return dict.fromkeys(codes)

    def changeable(self, values: Column) -> array[int]:
        """The values in an array of eight bytes each, which may be changed."""
        return values if isinstance(values, array) and values.typecode == "q" else array("q", iter(values))

    def narrow(self, values: Column) -> array[int]:
        """The values in an array of four bytes each."""
        return values if isinstance(values, array) and values.typecode == "i" else array("i", iter(values))

    def equal(self, values: Column, number: int) -> bytes:
        """1 for every entry that is this number, else 0."""
        return bytes(map(number.__eq__, values))

    def is_range(self, values: Column) -> bool:
        """Are these the numbers from 0 on?"""
        return all(map(eq, values, count()))

    def run_ends(self, values: Column) -> Column:
        """Where runs of equal entries end: behind the last entry of each."""
        ends = array("I", compress(count(1), map(ne, values, islice(values, 1, None))))
        ends.extend((len(values),) if values else ())
        return ends

    def sums(self, values: Column, sizes: Column) -> Column:
        """Values added up: the first `sizes[0]` of them, then the next `sizes[1]`, and so on."""
        return sums_of(values, sizes)

    def middles(self, values: Column, sizes: Column) -> Column:
        """Twice the median of the values of each part, parts in any order: a median of whole numbers ends in a half at most."""
        return column(lambda: chain.from_iterable(starmap(_middles, _by_size(values, sizes))))


WORK = Work()


class Numbers:
    """Columns with a number of every attempt, in the order of the draws; each is put into that order when it is asked for.

    `columns` are in any order, of which `attempts` says where each attempt is.
    """

    def __init__(self, columns: Mapping[str, Column], attempts: Column, work: Work = WORK) -> None:
        in_order = work.is_range(attempts)
        self._attempts, self._work = attempts, work
        self._ordered = {name: one for name, one in columns.items() if in_order and len(one) == len(attempts)}
        self._given = {name: one for name, one in columns.items() if name not in self._ordered}

    def __getitem__(self, name: str) -> Column:
        """One column."""
        if name not in self._ordered:
            self._ordered[name] = self._work.picked(self._given.pop(name), self._attempts)
        return self._ordered[name]


def _by_size(values: Column, sizes: Column) -> Iterator[tuple[int, Column]]:
    """For each size that a part may have, the values of all such parts, one part behind another."""
    every = set(sizes)
    if len(every) == 1:
        yield every.pop(), values
        return
    for size in sorted(every - {0}):
        flags = {one: bytes((one == size,)) * one for one in every}
        yield size, column(lambda: compress(values, b"".join(map(flags.__getitem__, sizes))))  # noqa: B023


def _middles(size: int, values: Column) -> Iterable[int]:
    """The two middle values of each part added up, where every part has `size` values, one part behind another."""
    ordered = list(map(sorted, zip(*(values[at::size] for at in range(size)), strict=True)))
    low, high = map(itemgetter((size - 1) // 2), ordered), map(itemgetter(size // 2), ordered)
    return map(add, low, high)
