"""Names of a million tasks: their bytes one behind another, without an object for any of them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, islice, repeat
from operator import sub
from typing import overload

NONE = -1
LEAST = 8
AT_ONCE = 4096
MOST_NARROW = 2**32 - 1


class Names(Sequence[str]):
    """Names by number, in the order in which they were added. They are held in UTF-8, lone surrogates too, whose order is that
    of the texts."""

    def __init__(self, raws: Iterable[bytes] = ()) -> None:
        self._bytes, self._begins = bytearray(), array("I", (0,))
        rest = iter(raws)
        while some := list(islice(rest, AT_ONCE)):
            self._end(islice(accumulate(map(len, some), initial=len(self._bytes)), 1, None))
            self._bytes += b"".join(some)

    def append(self, raw: bytes) -> None:
        """One more name, in UTF-8."""
        self._bytes += raw
        self._end((len(self._bytes),))

    def _end(self, places: Iterable[int]) -> None:
        """Where the next names end; numbers are as wide as these places need."""
        known = list(places)
        if known[-1] > MOST_NARROW and self._begins.typecode == "I":
            self._begins = array("Q", self._begins)
        self._begins.extend(known)

    def raw(self, at: int) -> bytes:
        """One name in UTF-8."""
        return bytes(self._bytes[self._begins[at] : self._begins[at + 1]])

    def raws(self) -> Iterator[bytes]:
        """All names in UTF-8."""
        return chain.from_iterable(map(piece.__getitem__, places) for piece, places in self._pieces())

    def _pieces(self) -> Iterator[tuple[bytes, Iterator[slice]]]:
        """The bytes of some names that follow each other, and where each of them stands."""
        for first in range(0, len(self), AT_ONCE):
            begins = self._begins[first : first + AT_ONCE + 1]
            places = array("Q", map(sub, begins, repeat(begins[0])))
            yield bytes(self._bytes[begins[0] : begins[-1]]), map(slice, places, places[1:])

    def same(self, other: Names) -> bool:
        """Are these the same names in the same order?"""
        return self._begins == other._begins and self._bytes == other._bytes

    def order(self) -> array[int]:
        """The numbers of the names, sorted as the names are."""
        return array("i", sorted(range(len(self)), key=self.raw))

    def __len__(self) -> int:
        return len(self._begins) - 1

    @overload
    def __getitem__(self, at: int, /) -> str: ...
    @overload
    def __getitem__(self, at: slice, /) -> tuple[str, ...]: ...
    def __getitem__(self, at: int | slice, /) -> str | tuple[str, ...]:
        if isinstance(at, slice):
            return tuple(map(text, map(self.raw, range(*at.indices(len(self))))))
        return text(self.raw(range(len(self))[at]))

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(
            map(text(piece).__getitem__, places) if piece.isascii() else map(text, map(piece.__getitem__, places))
            for piece, places in self._pieces()
        )


class Numbered(Names):
    """Names of which each is there once, and can be found: places in a table of numbers are told by the hashes of the names."""

    _table, _mask, _room = array("I"), 0, 0

    def append(self, raw: bytes) -> None:
        """One more name, in UTF-8, which is not there yet."""
        super().append(raw)
        self._room = 0

    def number(self, raw: bytes) -> int:
        """The number of a name, which is added where it is new."""
        number, place = self._look(raw)
        if number == NONE:
            number = len(self)
            super().append(raw)
            self._table[place] = number + 1
        return number

    def find(self, raw: bytes) -> int:
        """The number of a name, `NONE` where there is no such name."""
        return self._look(raw)[0]

    def found(self, names: Names) -> array[int]:
        """The numbers of other names."""
        return array("i", range(len(self)) if self.same(names) else map(self.find, names.raws()))

    def _look(self, raw: bytes) -> tuple[int, int]:
        """The number of a name, and where in the table it stands or would stand."""
        begins = self._begins
        if len(begins) > self._room:
            self._place_all()
        table, mask, size = self._table, self._mask, len(raw)
        place = hash(raw) & mask
        while after := table[place]:
            begin = begins[after - 1]
            if begins[after] - begin == size and self._bytes.startswith(raw, begin):
                return after - 1, place
            place = (place + 1) & mask
        return NONE, place

    def _place_all(self) -> None:
        """A table in which at least half of the places are free; a place holds the number of its name, counted from 1."""
        size = 1 << max(LEAST, (2 * len(self) + 2).bit_length())
        table, mask = array("I", (0,)) * size, size - 1
        for number, raw in enumerate(self.raws(), 1):
            place = hash(raw) & mask
            while table[place]:
                place = (place + 1) & mask
            table[place] = number
        self._table, self._mask, self._room = table, mask, size // 2


def text(raw: bytes) -> str:
    """A name as a text."""
    return raw.decode("utf-8", "surrogatepass")


def raws_of(names: Iterable[str]) -> Iterator[bytes]:
    """Names in UTF-8; where some that follow each other are plain, nothing is called for any of them."""
    rest = iter(names)
    while some := list(islice(rest, AT_ONCE)):
        yield from map(str.encode if "".join(some).isascii() else raw_of, some)


def raw_of(name: str) -> bytes:
    """A name in UTF-8."""
    return name.encode("utf-8", "surrogatepass")
