"""Columns worked on by polars: the numbers that `records/column_work.py` gives, in a part of the time.

Numbers of polars have eight bytes. Whatever may need more is left to the standard library, as are lists.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

from denominator.pipeline.parquet_arrays import CODES, Polars, array_of, series_of
from denominator.records.column_work import Work
from denominator.records.columns import Column, InOrder

LIMIT = 1 << 62


class Held(Sequence[int]):
    """A column of polars of 32-bit or 64-bit numbers, none of which is null; an array where it is looked into."""

    def __init__(self, series: Any) -> None:
        self.series = series

    @cached_property
    def array(self) -> array[int]:
        """The same numbers."""
        return array_of(self.series)

    def __len__(self) -> int:
        return len(self.series)

    @overload
    def __getitem__(self, at: int, /) -> int: ...
    @overload
    def __getitem__(self, at: slice, /) -> Sequence[int]: ...
    def __getitem__(self, at: int | slice, /) -> int | Sequence[int]:
        return self.array[at]

    def __iter__(self) -> Iterator[int]:
        return iter(self.array)


class HeldInOrder(Held, InOrder):
    """The same of numbers in order."""


@dataclass(frozen=True, slots=True)
class PolarsWork(Work):
    """Work on columns by polars."""

    pl: Polars

    def picked(self, values: Column, places: Column) -> Column:
        found, at = self._series(values), self._series(places)
        return Work.picked(self, values, places) if found is None or at is None else Held(found.gather(at))

    def picked_or(self, values: Column, places: Column, missing: int) -> Column:
        found, at = self._series(values), self._series(places)
        if found is None or at is None or abs(missing) >= LIMIT or not len(found):
            return Work.picked_or(self, values, places, missing)
        found, pl = found.cast(self.pl.Int64), self.pl
        nowhere = at < 0
        if not nowhere.any():
            return Held(found.gather(at))
        return Held(found.gather(at.clip(0)).zip_with(~nowhere, pl.Series([missing], dtype=pl.Int64)))

    def kept(self, values: Column, flags: bytes) -> Column:
        found = self._series(values)
        return Work.kept(self, values, flags) if found is None else Held(found.filter(self._flags(flags)))

    def total(self, values: Column, flags: bytes) -> int:
        found = self._series(values)
        if found is None or self._largest(found) * len(found) >= LIMIT:
            return Work.total(self, values, flags)
        return int(found.cast(self.pl.Int64).filter(self._flags(flags)).sum())

    def added(self, one: Column, other: Column) -> Column:
        pair = self._series(one), self._series(other)
        if any(found is None or self._largest(found) >= LIMIT for found in pair):
            return Work.added(self, one, other)
        return Held(pair[0].cast(self.pl.Int64) + pair[1].cast(self.pl.Int64))

    def of_codes(self, numbers: Sequence[int], codes: Column) -> Column:
        at = self._series(codes)
        if at is None or any(abs(number) >= LIMIT for number in numbers):
            return Work.of_codes(self, numbers, codes)
        return Held(self.pl.Series(numbers, dtype=self.pl.Int64).gather(at))

    def bytes_of_codes(self, table: bytes, codes: Column) -> bytes:
        at = self._series(codes)
        if at is None:
            return Work.bytes_of_codes(self, table, codes)
        return array_of(series_of(self.pl, table).gather(at)).tobytes()

    def ranges(self, begins: Sequence[int], sizes: Sequence[int], codes: Column) -> Column:
        at, pl = self._series(codes), self.pl
        if at is None or not sizes:
            return Work.ranges(self, begins, sizes, codes)
        many = pl.Series(sizes, dtype=pl.Int64).gather(at)
        ends, some = many.cum_sum(), many > 0
        starts = (ends - many).filter(some)
        # What is added to the place of a number: the first one of its entry without the place where the entry starts.
        shift = pl.Series(begins, dtype=pl.Int64).gather(at).filter(some) - starts
        return Held(shift.gather(self._parts(starts, int(many.sum()))) + pl.int_range(int(many.sum()), eager=True))

    def how_often(self, codes: Column, many: int) -> Sequence[int]:
        given = self._series(codes)
        if given is None:
            return Work.how_often(self, codes, many)
        found = [0] * many
        for code, often in given.alias("code").to_frame().group_by("code").len().iter_rows():
            found[code] = often
        return found

    def distinct(self, codes: Column) -> Iterable[int]:
        found = self._series(codes)
        return Work.distinct(self, codes) if found is None else list(found.unique(maintain_order=True).to_list())

    def changeable(self, values: Column) -> array[int]:
        if isinstance(values, Held):
            return array_of(values.series.cast(self.pl.Int64))
        return Work.changeable(self, values)

    def narrow(self, values: Column) -> array[int]:
        return array_of(values.series.cast(self.pl.Int32)) if isinstance(values, Held) else Work.narrow(self, values)

    def equal(self, values: Column, number: int) -> bytes:
        found = self._series(values)
        if found is None or abs(number) >= LIMIT:
            return Work.equal(self, values, number)
        return array_of((found.cast(self.pl.Int64) == number).cast(self.pl.UInt8)).tobytes()

    def is_range(self, values: Column) -> bool:
        found = self._series(values)
        if found is None:
            return Work.is_range(self, values)
        return bool((found == self.pl.int_range(len(found), eager=True)).all())

    def run_ends(self, values: Column) -> Column:
        found = self._series(values)
        if found is None or not len(found):
            return Work.run_ends(self, values)
        ends = (found.slice(1) != found.head(len(found) - 1)).arg_true() + 1
        return Held(self.pl.concat([ends.cast(self.pl.Int64), self.pl.Series([len(found)], dtype=self.pl.Int64)]))

    def sums(self, values: Column, sizes: Column) -> Column:
        found, many = self._series(values), self._series(sizes)
        if found is None or many is None or self._largest(found) * len(found) >= LIMIT:
            return Work.sums(self, values, sizes)
        pl, many = self.pl, many.cast(self.pl.Int64)
        so_far = pl.concat([pl.Series([0], dtype=pl.Int64), found.cast(pl.Int64).cum_sum()])
        ends = many.cum_sum()
        return Held(so_far.gather(ends) - so_far.gather(ends - many))

    def middles(self, values: Column, sizes: Column) -> Column:
        """In order."""
        found, many = self._series(values), self._series(sizes)
        if found is None or many is None or not len(found) or self._largest(found) >= LIMIT:
            return Work.middles(self, values, sizes)
        many = many.cast(self.pl.Int64)
        many = many.filter(many > 0)
        low, width = found.min(), found.max() - found.min() + 1
        if width * len(many) >= LIMIT:
            return Work.middles(self, values, sizes)
        ends = many.cum_sum()
        begins = ends - many
        # The number of the part before its value: numbers of all parts are put in order at once, and stay in their parts.
        ordered = (self._parts(begins, len(found)) * width + (found.cast(self.pl.Int64) - low)).sort()
        pair = (ordered.gather(begins + one) % width for one in ((many - 1) // 2, many // 2))
        return HeldInOrder((next(pair) + next(pair) + 2 * low).sort())

    def _parts(self, begins: Any, many: int) -> Any:
        """The number of the part of each of so many entries, given where parts begin; none is empty."""
        pl = self.pl
        return pl.repeat(0, many, dtype=pl.Int64, eager=True).scatter(begins.slice(1), 1).cum_sum()

    def _series(self, values: Column) -> Any:
        """The column of polars; None where there is none."""
        if isinstance(values, Held):
            return values.series
        if isinstance(values, bytes) or (isinstance(values, array) and values.typecode in CODES.values()):
            return series_of(self.pl, values)
        return None

    def _flags(self, flags: bytes) -> Any:
        return series_of(self.pl, flags).cast(self.pl.Boolean)

    def _largest(self, series: Any) -> int:
        return max(abs(series.min()), abs(series.max())) if len(series) else 0
