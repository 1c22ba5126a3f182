"""Every declared draw has a slot, task after task, and rows are put into slots column by column, without a loop over them."""

from __future__ import annotations

from array import array
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import merge
from itertools import accumulate, compress, groupby, islice, repeat
from operator import add, floordiv, itemgetter, mod, ne

from denominator.records.names import NONE, Names, Numbered

Place = tuple[int, str, str, str]
"""Repeat, slice, control and stratum of a declared draw."""
Declarations = Iterable[tuple[bytes, Sequence[Place]]]
"""Tasks in order, each once by its name in UTF-8 with its declared draws in order."""
FAR = 2**31


@dataclass(frozen=True, slots=True)
class Stated:
    """Declared draws of tasks: names in order, each once, and of each task which of the `shapes` its draws have."""

    names: Names
    shape_of: array[int]
    shapes: Sequence[tuple[Place, ...]]

    def __iter__(self) -> Iterator[tuple[bytes, Sequence[Place]]]:
        return zip(self.names.raws(), map(self.shapes.__getitem__, self.shape_of), strict=True)


def stated(names: Iterable[bytes], which: Iterable[int], places: Iterable[Sequence[Place]]) -> Stated:
    """Tasks in order, each with the number of its draws among some `places`; equal places are one shape."""
    shapes: dict[tuple[Place, ...], int] = {}
    numbers = [shapes.setdefault(tuple(one), len(shapes)) for one in places]
    return Stated(Names(names), array("i", map(numbers.__getitem__, which)), list(shapes))


def stated_by_task(declared: Declarations) -> Stated:
    """The same of tasks with their draws."""
    names, shape_of = Names(), array("i")
    shapes: dict[tuple[Place, ...], int] = {}
    for name, places in declared:
        names.append(name)
        shape_of.append(shapes.setdefault(tuple(places), len(shapes)))
    return Stated(names, shape_of, list(shapes))


@dataclass(frozen=True, slots=True)
class Put:
    """Rows in slots: `row[i]` is in `slot[i]`; `away` are rows of draws that nobody declared."""

    slot: Sequence[int]
    row: Sequence[int]
    away: Sequence[int]


class Slots:
    """The declared draws of all tasks. Of each slot: task, repeat, and slice with control and stratum as a code for `said`."""

    def __init__(self, stated: Stated, tasks: Numbered) -> None:
        """`tasks` are those of the rows; one that nobody declared has no slots."""
        self._numbers = tasks.found(stated.names)
        away = bytearray(b"\1") * len(tasks)
        deque(map(away.__setitem__, filter(NONE.__ne__, self._numbers), repeat(0)), maxlen=0)
        if any(away):
            rest = sorted(map(tasks.raw, compress(range(len(tasks)), away)))
            stated = stated_by_task(merge(stated, zip(rest, repeat(())), key=itemgetter(0)))
            self._numbers = tasks.found(stated.names)
        self.names, self.shape_of, self.shapes, self._tasks = stated.names, stated.shape_of, stated.shapes, len(tasks)
        self._runs = [(shape, len(list(run))) for shape, run in groupby(self.shape_of)]
        codes: dict[tuple[str, str, str], int] = {}
        self._codes = [[codes.setdefault(place[1:], len(codes)) for place in shape] for shape in self.shapes]
        self.said = list(codes)
        self.code = self.spread("i", range(len(codes)))
        repeats = [[place[0] for place in shape] for shape in self.shapes]
        small = all(-FAR < repeat < FAR for some in repeats for repeat in some)
        self.repeat = self._spread("i" if small else "q", repeats)
        self.task = self._numbered()
        sizes = list(map(len, self.shapes))
        self.begins = array("i", accumulate(map(sizes.__getitem__, self.shape_of), initial=0))

    def spread(self, typecode: str, values: Sequence[int]) -> array[int]:
        """A value for every slot, given one for every code of `said`."""
        return self._spread(typecode, [[values[code] for code in some] for some in self._codes])

    def _spread(self, typecode: str, of_shape: Sequence[Sequence[int]]) -> array[int]:
        """Values of every slot: tasks of one shape that stand together are made in one go."""
        found = array(typecode)
        for shape, many in self._runs:
            found.extend(array(typecode, of_shape[shape]) * many)
        return found

    def _numbered(self) -> array[int]:
        """The number of the task of every slot."""
        found, begin = array("i"), 0
        for shape, many in self._runs:
            size, numbers = len(self.shapes[shape]), array("i", range(begin, begin + many))
            block = array("i", [0]) * (size * many)
            for at in range(size):
                block[at::size] = numbers
            found.extend(block)
            begin += many
        return found

    def of_tasks(self) -> tuple[array[int], array[int]]:
        """Shape and first slot of every task of the rows, in the order of their numbers."""
        known = bytes(map(NONE.__ne__, self._numbers))
        numbers = array("i", compress(self._numbers, known))
        shapes, begins = array("i", [0]) * self._tasks, array("i", [0]) * self._tasks
        scatter(shapes, numbers, compress(self.shape_of, known))
        scatter(begins, numbers, compress(self.begins, known))
        return shapes, begins

    def __len__(self) -> int:
        return len(self.code)

    def again(self) -> Iterator[tuple[int, int]]:
        """Slots of draws that stand in the list once more, each with the first slot of its draw."""
        firsts = [_firsts(shape) for shape in self.shapes]
        odd = {at for at, first in enumerate(firsts) if any(map(ne, first, range(len(first))))}
        for task in compress(range(len(self.shape_of)), map(odd.__contains__, self.shape_of)):
            begin = self.begins[task]
            for at, first in enumerate(firsts[self.shape_of[task]]):
                if at != first:
                    yield begin + at, begin + first

    def offsets(self) -> dict[tuple[int, int], int]:
        """Where the draw of a repeat stands first in a shape; `NONE` for one that is not in it."""
        found = _Offsets()
        for number, shape in enumerate(self.shapes):
            for at, place in enumerate(shape):
                found.setdefault((number, place[0]), at)
        return found

    def put(self, task: array[int], repeats: array[int]) -> Put:
        """Rows, of which the task (by number) and the repeat are given, in their slots."""
        shape_of, begins = self.of_tasks()
        keys = zip(map(shape_of.__getitem__, task), repeats, strict=True)
        offsets = array("i", map(self.offsets().__getitem__, keys))
        slots = array("i", map(add, map(begins.__getitem__, task), offsets))
        if NONE not in offsets:
            return Put(slots, range(len(slots)), ())
        known = bytes(map(NONE.__ne__, offsets))
        away = compress(range(len(slots)), map(NONE.__eq__, offsets))
        return Put(array("i", compress(slots, known)), array("I", compress(range(len(slots)), known)), array("I", away))


class _Offsets(dict[tuple[int, int], int]):
    """Where the draws of each shape stand; `NONE` for a draw that is in none."""

    def __missing__(self, key: tuple[int, int]) -> int:
        return NONE


def _firsts(shape: Sequence[Place]) -> list[int]:
    """Where the draw of each place stands first."""
    first: dict[int, int] = {}
    return [first.setdefault(place[0], at) for at, place in enumerate(shape)]


def scatter(into: array[int], places: Iterable[int], values: Iterable[int]) -> None:
    """Put each value at its place; of several at one place the last stays."""
    deque(map(into.__setitem__, places, values), maxlen=0)


@dataclass(frozen=True, slots=True)
class Seated:
    """The row of every slot (any one where there are several, `NONE` where there is none), the rows of slots that have
    several, and rows of draws that nobody declared."""

    one: array[int]
    several: dict[int, list[int]]
    away: Sequence[int]


def seated(put: Put, many: int) -> Seated:
    """Rows by slot, of `many` slots."""
    one = array("i", [NONE]) * many
    last = array("i", one)
    scatter(one, reversed(put.slot), reversed(put.row))
    scatter(last, put.slot, put.row)
    several = bytes(map(ne, one, last))
    found: dict[int, list[int]] = {}
    if any(several):
        flags = bytes(map(several.__getitem__, put.slot))
        for slot, row in zip(compress(put.slot, flags), compress(put.row, flags), strict=True):
            found.setdefault(slot, []).append(row)
    return Seated(one, found, put.away)


def of_rows(tasks: Names, task: array[int], repeats: array[int]) -> Stated:
    """The draws that some rows are of, as if somebody had declared just these, without a word on what they are."""
    return stated_by_task(_of_rows(tasks, task, repeats) if task else ())


def _of_rows(tasks: Names, task: array[int], repeats: array[int]) -> Declarations:
    order, low = tasks.order(), min(repeats)
    width = max(repeats) - low + 1
    # A number for a draw: draws are sorted as these numbers are.
    begins = array("q", [0]) * len(tasks)
    scatter(begins, order, range(-low, len(tasks) * width - low, width))
    ordered = sorted(set(map(add, map(begins.__getitem__, task), repeats)))
    sizes = Counter(map(floordiv, ordered, repeat(width)))
    found = map(mod, ordered, repeat(width))
    known: dict[tuple[int, ...], list[Place]] = {}
    for name, size in zip(map(tasks.raw, order), sizes.values(), strict=True):
        shape = tuple(islice(found, size))
        if shape not in known:
            known[shape] = [(low + one, "", "", "") for one in shape]
        yield name, known[shape]
