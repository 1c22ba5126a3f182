"""Draws of one slice task by task, as columns: counts and sums for every task without an object for any of them.

Whatever is asked of a kind is asked once; a column of a million entries is then made and added up in one go.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, reduce
from itertools import accumulate, chain, compress, repeat
from operator import add, sub
from typing import TypeVar

from denominator.records.coded import BYTE, Coded
from denominator.records.column_work import WORK, Work
from denominator.records.columns import Column, column
from denominator.records.draws import ELSEWHERE, LARGEST, Draws, DrawTable, Holds, JudgedDraw, facts, reader
from denominator.records.rows import Count

T = TypeVar("T")
OfTry = Callable[[JudgedDraw, int], object]
"""What is asked of one try of a draw, which is named by its number from 0."""


class Grouped(ABC):
    """`kind[i]` is the kind of the i-th draw; `ends[g]` is where the draws of task g end.

    Tasks come in the order in which the sheet first has them, draws of a task in the order of the sheet. `inside` says of
    each kind whether it belongs to the slice: of no other kind is anything asked. `even` is the number of draws of every
    task, 0 where tasks differ. Columns of attempts may hold attempts of other slices too: `tries_where` leaves them out.
    """

    def __init__(self, kinds: Sequence[JudgedDraw], inside: bytes, coded: Coded, ends: array[int], work: Work) -> None:
        self.kinds, self.inside, self.ends, self.work = kinds, inside, ends, work
        self.even = _even(ends)
        self._coded = coded

    @abstractmethod
    def how_many(self) -> Sequence[int]:
        """How many draws there are of each kind; of kinds of other slices any number."""

    @abstractmethod
    def names(self, tasks: Iterable[int]) -> Iterator[str]:
        """The names of some tasks, given by number."""

    @abstractmethod
    def repeats(self) -> Column:
        """The repeat of every draw."""

    @abstractmethod
    def tries_where(self, ask: OfTry) -> bytes:
        """1 for every attempt for which something holds that reads neither place nor number, else 0."""

    @abstractmethod
    def numbers(self, name: str) -> Column:
        """What is known of a number, attempt by attempt; 0 where it is unknown."""

    def __len__(self) -> int:
        return len(self._coded)

    @property
    def kind(self) -> Column:
        """The kind of every draw."""
        return self._coded.codes

    def each(self, ask: Callable[[JudgedDraw], int]) -> list[int]:
        """A number for every kind of the slice, 0 for the others."""
        return [ask(kind) if inside else 0 for kind, inside in zip(self.kinds, self.inside, strict=True)]

    def total(self, ask: Callable[[JudgedDraw], int]) -> int:
        """The sum of a number of the kinds over all draws."""
        return sum(number * many for number, many in zip(self.each(ask), self.how_many(), strict=True) if many)

    def flags(self, holds: Holds) -> bytes:
        """1 for every draw for which something holds that reads neither place nor number, else 0."""
        return self._coded.flags(self.each(holds))

    @cached_property
    def sizes(self) -> Column:
        """How many draws each task has."""
        return array("I", map(sub, self.ends, chain((0,), self.ends)))

    @cached_property
    def tries(self) -> Column:
        """How many attempts each task has."""
        found: Column = bytes(len(self.ends))
        for least in range(1, max(self.each(lambda kind: len(kind.tries)), default=0) + 1):
            found = array("I", map(add, found, self.counts(self.flags(_tried(least)))))
        return found

    def counts(self, flags: bytes) -> Column:
        """How many flags of draws are set, task by task."""
        if 1 < self.even < BYTE:
            # A byte a task: as one large number they add up without a carry.
            columns = (int.from_bytes(flags[at :: self.even], "little") for at in range(self.even))
            return reduce(add, columns).to_bytes(len(self.ends), "little")
        return self.sums(flags)

    def sums(self, values: Column) -> Column:
        """Values of draws added up by task."""
        return values if self.even == 1 else self.work.sums(values, self.sizes)

    def sums_of_tries(self, values: Column) -> Column:
        """Values of attempts added up by task."""
        inside = self.tries_where(lambda _kind, _at: True)
        return self.work.sums(values if all(inside) else self.work.kept(values, inside), self.tries)

    def sums_by_draw(self, values: Column, holds: Holds) -> Column:
        """Values of attempts added up by draw, of the draws for which something holds."""
        inside = self.tries_where(lambda kind, _: holds(kind))
        found = self.work.kept(values, inside)
        sizes = self.each(lambda kind: len(kind.tries) if holds(kind) else 1)
        if set(compress(sizes, self.inside)) <= {1}:
            return found
        return self.work.sums(found, self.work.of_codes(sizes, self.work.kept(self.kind, self.flags(holds))))


class Listed(Grouped):
    """Draws of a list; each is a kind of its own."""

    def __init__(self, draws: Sequence[JudgedDraw], inside: bytes, places: array[int], ends: array[int]) -> None:
        super().__init__(draws, inside, Coded(places, list(map(facts, draws))), ends, WORK)

    def how_many(self) -> Sequence[int]:
        return self.work.how_often(self.kind, len(self.kinds))

    def names(self, tasks: Iterable[int]) -> Iterator[str]:
        return (self.kinds[self.kind[self.ends[task] - 1]].draw.task_id for task in tasks)

    def repeats(self) -> Column:
        return column(lambda: (self.kinds[at].draw.repeat for at in self.kind))

    def tries_where(self, ask: OfTry) -> bytes:
        draws = map(self.kinds.__getitem__, self.kind)
        return bytes(bool(ask(draw, at)) for draw in draws for at in range(len(draw.tries)))

    def numbers(self, name: str) -> Column:
        read = reader(name)
        return column(lambda: (whole(read(row)) for at in self.kind for row in self.kinds[at].tries))


class Tabled(Grouped):
    """Draws of a table, which are sorted by task. `own` are those of the slice, `tasks` its tasks by number of the table."""

    def __init__(self, table: DrawTable, inside: bytes, own: bytes, tasks: Sequence[int], ends: array[int]) -> None:
        self._table, self._own, self.tasks = table, own, tasks
        work = table.work
        coded = Coded(work.kept(table.kind, own), list(map(facts, table.kinds)), work) if own else table.coded()
        super().__init__(table.kinds, inside, coded, ends, work)

    def how_many(self) -> Sequence[int]:
        return self._table.how_many()

    def names(self, tasks: Iterable[int]) -> Iterator[str]:
        return (self._table.tasks[self.tasks[task]] for task in tasks)

    def all_names(self) -> Iterable[str]:
        """The names of all tasks."""
        if len(self.tasks) == len(self._table.tasks):
            return self._table.tasks
        inside = bytearray(len(self._table.tasks))
        for task in self.tasks:
            inside[task] = 1
        return compress(self._table.tasks, inside)

    def repeats(self) -> Column:
        return self.work.kept(self._table.repeat, self._own) if self._own else self._table.repeat

    def tries_where(self, ask: OfTry) -> bytes:
        return self._table.try_flags(self._each_try(ask))

    def numbers(self, name: str) -> Column:
        found, read = self._table.numbers[name], reader(name)
        # What is not in the column stands there as `ELSEWHERE`; the kind says what it is.
        missing = self._each_try(lambda kind, at: _beside(read(kind.tries[at])))
        return found if not any(missing) else self.work.added(found, self._table.of_tries(missing))

    def _each_try(self, ask: Callable[[JudgedDraw, int], T]) -> list[T | int]:
        """An answer for every try of every kind of the slice, 0 for the others."""
        pairs = zip(self.kinds, self.inside, strict=True)
        return [ask(kind, at) if inside else 0 for kind, inside in pairs for at in range(len(kind.tries))]


def _tried(times: int) -> Holds:
    return lambda draw: len(draw.tries) >= times


def whole(value: Count) -> int:
    """A number, 0 where it is unknown."""
    return value if isinstance(value, int) else 0


def _beside(value: Count) -> int:
    """What has to be added to a column for a number that stands in the kind: 0 where it stands in the column."""
    return 0 if isinstance(value, int) and 0 <= value < LARGEST else whole(value) - ELSEWHERE


def grouped(draws: Draws, slice_: str = "") -> Grouped:
    """The draws of one slice, or of all where none is named."""
    if isinstance(draws, DrawTable):
        return tabled(draws, slice_)
    of_task: dict[str, list[int]] = {}
    for at, draw in enumerate(draws):
        if not slice_ or draw.slice == slice_:
            of_task.setdefault(draw.draw.task_id, []).append(at)
    places = array("I", chain.from_iterable(of_task.values()))
    return Listed(draws, _inside(draws, slice_), places, array("I", accumulate(map(len, of_task.values()))))


def tabled(table: DrawTable, slice_: str = "") -> Tabled:
    """The same of a table."""
    found: Tabled = table.once(("slice", slice_), lambda: _of_table(table, slice_))
    return found


def _inside(kinds: Iterable[JudgedDraw], slice_: str) -> bytes:
    return bytes(not slice_ or kind.slice == slice_ for kind in kinds)


def _of_table(table: DrawTable, slice_: str) -> Tabled:
    """The draws of a slice by task: from those of all slices, of which some may belong to other slices."""
    inside = _inside(table.kinds, slice_)
    if not slice_:
        ends = array("I", table.work.run_ends(table.task))
        tasks = array("i", map(table.task.__getitem__, map(sub, ends, repeat(1))))
        return Tabled(table, inside, b"", tasks, ends)
    every = tabled(table)
    if all(inside):
        return every
    own = table.flags(inside)
    sizes = every.counts(own)
    ends = array("I", accumulate(compress(sizes, sizes)))
    return Tabled(table, inside, own, array("i", compress(every.tasks, sizes)), ends)


def _even(ends: array[int]) -> int:
    if not ends:
        return 0
    size = ends[0]
    return size if ends == array("I", range(size, size * len(ends) + 1, size)) else 0
