"""Every declared draw has a slot, task after task, and rows are put into slots column by column, without a loop over them."""

from __future__ import annotations

from array import array
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, compress, islice, repeat
from operator import add, floordiv, mod, ne

Place = tuple[int, str, str, str]
"""Repeat, slice, control and stratum of a declared draw."""
Declarations = Iterable[tuple[str, Sequence[Place]]]
"""Tasks in order, each with its declared draws in order."""
NONE = -1


@dataclass(frozen=True, slots=True)
class Put:
    """Rows in slots: `row[i]` is in `slot[i]`; `away` are rows of draws that nobody declared."""

    slot: Sequence[int]
    row: Sequence[int]
    away: Sequence[int]


class Slots:
    """The declared draws of all tasks. Of each slot: task, repeat, and slice with control and stratum as a code for `said`."""

    def __init__(self, declared: Declarations, tasks: Mapping[str, int]) -> None:
        """`tasks` are those of the rows, by number; one that nobody declared has no slots."""
        self.names: list[str] = []
        shapes: dict[tuple[Place, ...], int] = {}
        shape_of = array("i")
        for name, places in _merged(declared, sorted(tasks)):
            self.names.append(name)
            shape_of.append(shapes.setdefault(tuple(places), len(shapes)))
        sizes = list(map(len, shapes))
        self._begins = array("I", accumulate(map(sizes.__getitem__, shape_of), initial=0))
        self._shapes, self._shape_of, self._tasks = list(shapes), shape_of, tasks
        codes: dict[tuple[str, str, str], int] = {}
        said = [[codes.setdefault(place[1:], len(codes)) for place in shape] for shape in shapes]
        self.said = list(codes)
        self.code = array("i", chain.from_iterable(map(said.__getitem__, shape_of)))
        repeats = [[place[0] for place in shape] for shape in shapes]
        self.repeat = _repeats(lambda: chain.from_iterable(map(repeats.__getitem__, shape_of)))
        self.task = array("i", chain.from_iterable(map(repeat, range(len(shape_of)), map(sizes.__getitem__, shape_of))))

    def __len__(self) -> int:
        return len(self.code)

    def again(self) -> Iterator[tuple[int, int]]:
        """Slots of draws that stand in the list once more, each with the first slot of its draw."""
        firsts = [_firsts(shape) for shape in self._shapes]
        odd = {at for at, first in enumerate(firsts) if any(map(ne, first, range(len(first))))}
        for task in compress(range(len(self._shape_of)), map(odd.__contains__, self._shape_of)):
            begin = self._begins[task]
            for at, first in enumerate(firsts[self._shape_of[task]]):
                if at != first:
                    yield begin + at, begin + first

    def put(self, task: array[int], repeats: array[int]) -> Put:
        """Rows, of which the task (by number) and the repeat are given, in their slots."""
        offset_of = _Offsets()
        for number, shape in enumerate(self._shapes):
            for at, place in enumerate(shape):
                offset_of.setdefault((number, place[0]), at)
        at_name = {name: at for at, name in enumerate(self.names)}
        index = [at_name[name] for name in self._tasks]
        shape_of = [self._shape_of[at] for at in index]
        keys = zip(map(shape_of.__getitem__, task), repeats, strict=True)
        offsets = array("i", map(offset_of.__getitem__, keys))
        begins = [self._begins[at] for at in index]
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


def crowds(put: Put, many: int) -> tuple[array[int], dict[int, list[int]]]:
    """The row of each of `many` slots (the first one, `NONE` where there is none), and the rows of slots with several."""
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
    return one, found


def of_rows(tasks: Mapping[str, int], task: array[int], repeats: array[int]) -> Declarations:
    """The draws that some rows are of, as if somebody had declared just these, without a word on what they are."""
    if not task:
        return
    names, low = sorted(tasks), min(repeats)
    width = max(repeats) - low + 1
    rank = {name: at for at, name in enumerate(names)}
    # A number for a draw: draws are sorted as these numbers are.
    begins = [rank[name] * width - low for name in tasks]
    ordered = sorted(set(map(add, map(begins.__getitem__, task), repeats)))
    sizes = Counter(map(floordiv, ordered, repeat(width)))
    found = map(mod, ordered, repeat(width))
    known: dict[tuple[int, ...], list[Place]] = {}
    for name, size in zip(names, sizes.values(), strict=True):
        shape = tuple(islice(found, size))
        if shape not in known:
            known[shape] = [(low + one, "", "", "") for one in shape]
        yield name, known[shape]


def _repeats(make: Callable[[], Iterable[int]]) -> array[int]:
    """Repeats in four bytes each, or in eight where one needs them."""
    try:
        return array("i", make())
    except OverflowError:
        return array("q", make())


def _merged(declared: Declarations, names: Sequence[str]) -> Declarations:
    """Declared tasks and those that only have rows, in one order."""
    at = 0
    for name, places in declared:
        while at < len(names) and names[at] < name:
            yield names[at], ()
            at += 1
        at += at < len(names) and names[at] == name
        yield name, places
    for name in names[at:]:
        yield name, ()
