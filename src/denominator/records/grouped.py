"""Draws of one slice task by task, as columns: counts and sums for every task without an object for any of them.

Whatever is asked of a kind is asked once; a column of a million entries is then made and added up in one go.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import accumulate, chain, compress, count, islice
from operator import add, ne, sub

from denominator.records.draws import (
    ELSEWHERE,
    LARGEST,
    Draws,
    DrawTable,
    Holds,
    JudgedDraw,
    counting,
    reader,
)
from denominator.records.rows import Count

Column = Sequence[int]
BYTE = 256


@dataclass(frozen=True, slots=True)
class Grouped:
    """`kind[i]` is the kind of the i-th draw, `at[i]` its place in `draws`; `ends[g]` is where the draws of task g end.

    Tasks come in the order in which the sheet first has them, draws of a task in the order of the sheet. `inside` says of
    each kind whether it belongs to the slice: of no other kind is anything asked. `even` is the number of draws of every
    task, 0 where tasks differ.
    """

    draws: Draws
    kinds: Sequence[JudgedDraw]
    inside: bytes
    kind: Column
    at: Column
    ends: Column
    even: int
    _many: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.kind)

    def how_many(self) -> Sequence[int]:
        """How many draws there are of each kind."""
        if not self._many:
            found = Counter(self.kind)
            self._many.extend(found[number] for number in range(len(self.kinds)))
        return self._many

    def each(self, ask: Callable[[JudgedDraw], int]) -> list[int]:
        """A number for every kind of the slice, 0 for the others."""
        return [ask(kind) if inside else 0 for kind, inside in zip(self.kinds, self.inside, strict=True)]

    def total(self, ask: Callable[[JudgedDraw], int]) -> int:
        """The sum of a number of the kinds over all draws."""
        return sum(number * many for number, many in zip(self.each(ask), self.how_many(), strict=True) if many)

    def flags(self, holds: Holds) -> bytes:
        """1 for every draw for which something holds that reads neither place nor number, else 0."""
        return self._flagged(self.each(holds))

    def _flagged(self, of_kind: Iterable[int]) -> bytes:
        right = bytes(map(bool, of_kind))
        return bytes(map(right.__getitem__, self.kind)) if any(right) else bytes(len(self))

    def sizes(self) -> Column:
        """How many draws each task has."""
        return array("I", map(sub, self.ends, chain((0,), self.ends)))

    def counts(self, flags: bytes) -> Column:
        """How many flags are set, task by task."""
        if self.even == 1:
            return flags
        if 1 < self.even < BYTE:
            # A byte a task: as one large number they add up without a carry.
            columns = (int.from_bytes(flags[at :: self.even], "little") for at in range(self.even))
            return reduce(add, columns).to_bytes(len(self.ends), "little")
        return self.sums(flags)

    def sums(self, values: Column) -> Column:
        """Values of draws added up by task."""
        if self.even == 1:
            return values
        before = column(lambda: accumulate(values, initial=0))
        upto = column(lambda: map(before.__getitem__, self.ends))
        return column(lambda: map(sub, upto, chain((0,), upto)))

    def names(self, tasks: Iterable[int]) -> Iterator[str]:
        """The names of some tasks, given by number."""
        draws, ends, at = self.draws, self.ends, self.at
        if isinstance(draws, DrawTable):
            return (draws.tasks[draws.task[at[ends[task] - 1]]] for task in tasks)
        return (draws[at[ends[task] - 1]].draw.task_id for task in tasks)

    def repeats(self) -> Iterable[int]:
        """The repeat of every draw."""
        if isinstance(self.draws, DrawTable):
            return map(self.draws.repeat.__getitem__, self.at)
        return (self.draws[at].draw.repeat for at in self.at)

    def counted(self, name: str, holds: Holds, which: Callable[[JudgedDraw], int] = counting) -> Iterator[Count]:
        """A number of one attempt (the counting one, or try `which`) of the started draws for which something holds."""
        read, kinds = reader(name), self.kinds
        right = self.each(lambda kind: kind.row is not None and holds(kind))
        flags = self._flagged(right)
        if not isinstance(self.draws, DrawTable):
            return (read(draw.tries[which(draw)]) for draw in map(self.draws.__getitem__, compress(self.at, flags)))
        tries = [which(kind) if asked else 0 for kind, asked in zip(kinds, right, strict=True)]
        first = map(self.draws.first.__getitem__, compress(self.at, flags))
        places = map(add, first, map(tries.__getitem__, compress(self.kind, flags)))
        values = map(self.draws.numbers[name].__getitem__, map(self.draws.attempts.__getitem__, places))
        of_kind = [read(kind.tries[at]) if asked else 0 for kind, at, asked in zip(kinds, tries, right, strict=True)]
        if all(map(plain, of_kind)):
            return values
        others = map(of_kind.__getitem__, compress(self.kind, flags))
        return (other if value == ELSEWHERE else value for value, other in zip(values, others, strict=True))

    def summed(self, name: str) -> Column:
        """What is known of a number, all attempts of a draw together, draw by draw."""
        read = reader(name)
        if not isinstance(self.draws, DrawTable):
            return column(lambda: (sum(map(whole, map(read, self.draws[at].tries))) for at in self.at))
        # Attempts stand in the order of the draws: a draw has those from its first one to the first one of the next.
        table, of_attempt = self.draws, self.draws.numbers[name]
        upto = column(lambda: accumulate(map(of_attempt.__getitem__, table.attempts), initial=0))
        before = column(lambda: map(upto.__getitem__, chain(table.first, (len(table.attempts),))))
        found = column(lambda: map(sub, islice(before, 1, None), before))
        # What is not in the column stands there as `ELSEWHERE`; the kind says what it is.
        missing = self.each(lambda kind: sum(whole(one) - ELSEWHERE for one in map(read, kind.tries) if not plain(one)))
        if not any(missing):
            return column(lambda: map(found.__getitem__, self.at))
        return column(lambda: map(add, map(found.__getitem__, self.at), map(missing.__getitem__, self.kind)))


def plain(value: Count) -> bool:
    """Is it a number that stands in a column, where there are columns?"""
    return isinstance(value, int) and 0 <= value < LARGEST


def whole(value: Count) -> int:
    """A number, 0 where it is unknown."""
    return value if isinstance(value, int) else 0


def column(make: Callable[[], Iterable[int]]) -> Column:
    """Whole numbers in an array, or in a list where one of them needs more than eight bytes."""
    try:
        return array("q", make())
    except OverflowError:
        return list(make())


def grouped(draws: Draws, slice_: str = "") -> Grouped:
    """The draws of one slice, or of all where none is named."""
    if isinstance(draws, DrawTable):
        if slice_ not in draws.kept:
            draws.kept[slice_] = _of_table(draws, slice_)
        found: Grouped = draws.kept[slice_]
        return found
    of_task: dict[str, list[int]] = {}
    for at, draw in enumerate(draws):
        if not slice_ or draw.slice == slice_:
            of_task.setdefault(draw.draw.task_id, []).append(at)
    places = array("I", chain.from_iterable(of_task.values()))
    ends = array("I", accumulate(map(len, of_task.values())))
    return Grouped(draws, draws, _inside(draws, slice_), places, places, ends, _even(ends))


def _inside(kinds: Iterable[JudgedDraw], slice_: str) -> bytes:
    return bytes(not slice_ or kind.slice == slice_ for kind in kinds)


def _of_table(table: DrawTable, slice_: str) -> Grouped:
    """Draws of a table are sorted by task already."""
    inside = _inside(table.kinds, slice_)
    kind: Column = table.kind
    at: Column = range(len(table))
    task = table.task
    if not all(inside):
        flags = bytes(map(inside.__getitem__, table.kind))
        kind, at = array(table.kind.typecode, compress(kind, flags)), array("I", compress(at, flags))
        task = array(task.typecode, compress(task, flags))
    ends = array("I", compress(count(1), map(ne, task, islice(task, 1, None))))
    if task:
        ends.append(len(task))
    return Grouped(table, table.kinds, inside, kind, at, ends, _even(ends))


def _even(ends: array[int]) -> int:
    if not ends:
        return 0
    size = ends[0]
    return size if ends == array("I", range(size, size * len(ends) + 1, size)) else 0
