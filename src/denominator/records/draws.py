"""Declared draws with their exits: one by one, or by kind where there are a million of them.

Draws that show the same facts apart from their place and their numbers (tokens, milliseconds, bytes) are of one kind. A
`DrawTable` holds each kind once, and of a draw only its task, its repeat, its kind and the numbers of its attempts.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import accumulate, compress
from operator import attrgetter
from typing import Any, overload

from denominator.records.coded import Coded
from denominator.records.column_work import WORK, Numbers, Work
from denominator.records.columns import Column, places
from denominator.records.keys import DrawKey
from denominator.records.rows import AttemptRow, Count, Declared
from denominator.records.values import NotMeasured

NUMBERS = (
    "queue_wait_ms", "setup_ms", "agent_ms", "grade_ms", "wall_ms", "time_to_first_green_ms", "usage.prompt",
    "usage.completion", "usage.calls", "patch.bytes",
)  # fmt: skip
"""Numbers of a row that a metric or a card may read one by one; every other number is known by its kind only."""
LARGEST = 10**15
"""From here on a number is part of the kind: nothing that is measured is as large."""
ELSEWHERE = -1
"""In a column: the number is not here but in the kind, where it is unknown, negative or larger than any measured one."""
NOWHERE = DrawKey("", 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedDraw:
    """One declared draw and its one exit. `row` is the attempt that counts; `tries` are all its attempts, in order.

    `outcomes` says how each of the tries ended, in the same order; empty where that is unknown.
    """

    draw: DrawKey
    slice: str
    control: str
    stratum: str
    exit: str
    row: AttemptRow | None = None
    tries: tuple[AttemptRow, ...] = ()
    outcomes: tuple[str, ...] = ()
    origin: str = ""
    reason: str = ""
    failure_class: str = ""
    mix: str = ""
    tags: tuple[str, ...] = ()
    unknown_axes: tuple[str, ...] = ()


Holds = Callable[[JudgedDraw], bool]


@cache
def reader(name: str) -> Callable[[AttemptRow], Count]:
    """Reads a number of a row by its name (`patch.bytes`); unknown where what holds it is unknown."""
    outer, _, inner = name.partition(".")
    if not inner:
        return attrgetter(outer)

    def read(row: AttemptRow) -> Count:
        value: Any = getattr(row, outer)
        found: Count = value if isinstance(value, NotMeasured) else getattr(value, inner)
        return found

    return read


@dataclass(frozen=True, slots=True)
class DrawTable(Sequence[JudgedDraw]):
    """Draws by kind, sorted by (task, repeat). `task`, `repeat` and `kind` have one entry a draw.

    `kinds[kind[i]]` is draw i without its place and its numbers; in the columns of `numbers` its attempts stand in the order
    of its tries, behind those of the draws before. `kept` is what was made of a table once and is asked for again; `work` is
    how columns are worked on.
    """

    tasks: Sequence[str]
    task: array[int]
    repeat: array[int]
    kind: array[int]
    kinds: Sequence[JudgedDraw]
    numbers: Numbers
    kept: dict[object, Any] = field(default_factory=dict)
    work: Work = WORK

    def __len__(self) -> int:
        return len(self.kind)

    @overload
    def __getitem__(self, at: int, /) -> JudgedDraw: ...
    @overload
    def __getitem__(self, at: slice, /) -> tuple[JudgedDraw, ...]: ...
    def __getitem__(self, at: int | slice, /) -> JudgedDraw | tuple[JudgedDraw, ...]:
        if isinstance(at, slice):
            return tuple(self._draw(one) for one in range(*at.indices(len(self))))
        return self._draw(range(len(self))[at])

    def __iter__(self) -> Iterator[JudgedDraw]:
        return map(self._draw, range(len(self)))

    def once(self, name: object, make: Callable[[], Any]) -> Any:
        """What is made of the table once, by its name."""
        if name not in self.kept:
            self.kept[name] = make()
        return self.kept[name]

    def how_many(self) -> Sequence[int]:
        """How many draws there are of each kind."""
        found: Sequence[int] = self.once("how many", lambda: self.work.how_often(self.kind, len(self.kinds)))
        return found

    def alike(self) -> Iterator[tuple[JudgedDraw, int]]:
        """Every kind with the number of its draws."""
        return zip(self.kinds, self.how_many(), strict=True)

    def where(self, holds: Holds) -> Places:
        """The draws whose kind something holds for."""
        return Places(self, array("I", places(self.flags(map(holds, self.kinds)))))

    def flags(self, answers: Iterable[object]) -> bytes:
        """1 for every draw to whose kind the answer is yes, else 0. One answer a kind."""
        return self.coded().flags(answers)

    def coded(self) -> Coded:
        """The kinds of the draws, to ask of."""
        found: Coded = self.once("coded", lambda: Coded(self.kind, list(map(facts, self.kinds)), self.work))
        return found

    def try_flags(self, answers: Iterable[object]) -> bytes:
        """The same of every attempt. One answer a try of each kind, kind after kind."""
        return self.coded_tries().flags(answers)

    def of_tries(self, numbers: Sequence[int]) -> Column:
        """A number for every attempt, given one a try of each kind, kind after kind."""
        return self.work.of_codes(numbers, self.coded_tries().codes)

    def coded_tries(self) -> Coded:
        """The attempts by the tries of the kinds, kind after kind, to ask of."""
        found: Coded = self.once("coded tries", self._coded_tries)
        return found

    def _firsts(self) -> Sequence[int]:
        """Where the attempts of every draw begin, and where the last ones end."""
        sizes = [len(kind.tries) for kind in self.kinds]
        return array("I", accumulate(map(sizes.__getitem__, self.kind), initial=0))

    def _coded_tries(self) -> Coded:
        sizes = [len(kind.tries) for kind in self.kinds]
        begins = list(accumulate(sizes, initial=0))[:-1]
        told = [(facts(kind), at) for kind, size in zip(self.kinds, sizes, strict=True) for at in range(size)]
        if sizes and min(sizes) == max(sizes) == 1:
            return Coded(self.kind, told, self.work)
        return Coded(self.work.ranges(begins, sizes, self.kind), told, self.work)

    def _draw(self, at: int) -> JudgedDraw:
        """One draw as if it had never been in a table, apart from what `NUMBERS` does not name."""
        kind = self.kinds[self.kind[at]]
        key = DrawKey(self.tasks[self.task[at]], self.repeat[at])
        if not kind.tries:
            return replace(kind, draw=key)
        first: Sequence[int] = self.once("first", self._firsts)
        pairs = zip(kind.tries, range(first[at], first[at + 1]), strict=True)
        tries = tuple(self._row(row, key, place) for row, place in pairs)
        return replace(kind, draw=key, tries=tries, row=None if kind.row is None else tries[counting(kind)])

    def _row(self, row: AttemptRow, key: DrawKey, at: int) -> AttemptRow:
        known = {name: self.numbers[name][at] for name in NUMBERS if self.numbers[name][at] != ELSEWHERE}
        plain: dict[str, Any] = {name: value for name, value in known.items() if "." not in name}
        nested: dict[str, dict[str, int]] = {}
        for name in known.keys() - plain.keys():
            outer, _, inner = name.partition(".")
            nested.setdefault(outer, {})[inner] = known[name]
        made: dict[str, Any] = {name: replace(getattr(row, name), **inner) for name, inner in nested.items()}
        return replace(row, key=replace(row.key, task_id=key.task_id, repeat=key.repeat), **plain, **made)


def facts(kind: JudgedDraw) -> tuple[object, ...]:
    """What most questions about a draw look at."""
    ended = kind.exit, kind.origin, kind.reason, kind.failure_class, kind.outcomes
    return (kind.slice, kind.control, kind.mix, kind.tags, *ended)


def counting(draw: JudgedDraw) -> int:
    """Which of the tries is the one that counts."""
    return next(at for at, row in enumerate(draw.tries) if row is draw.row)


@dataclass(frozen=True, slots=True)
class Places(Sequence[JudgedDraw]):
    """Some draws of a table: each is made when it is looked at."""

    table: DrawTable
    at: array[int]

    def __len__(self) -> int:
        return len(self.at)

    @overload
    def __getitem__(self, at: int, /) -> JudgedDraw: ...
    @overload
    def __getitem__(self, at: slice, /) -> tuple[JudgedDraw, ...]: ...
    def __getitem__(self, at: int | slice, /) -> JudgedDraw | tuple[JudgedDraw, ...]:
        if isinstance(at, slice):
            return tuple(self.table[one] for one in self.at[at])
        return self.table[self.at[at]]

    def __iter__(self) -> Iterator[JudgedDraw]:
        return (self.table[one] for one in self.at)


@dataclass(frozen=True, slots=True)
class DeclaredDraws(Sequence[Declared]):
    """The declared draws of a table, each made when it is looked at."""

    table: DrawTable

    def __len__(self) -> int:
        return len(self.table)

    @overload
    def __getitem__(self, at: int, /) -> Declared: ...
    @overload
    def __getitem__(self, at: slice, /) -> tuple[Declared, ...]: ...
    def __getitem__(self, at: int | slice, /) -> Declared | tuple[Declared, ...]:
        if isinstance(at, slice):
            return tuple(self[one] for one in range(*at.indices(len(self))))
        table = self.table
        kind, key = table.kinds[table.kind[at]], DrawKey(table.tasks[table.task[at]], table.repeat[at])
        return Declared(draw=key, slice=kind.slice, control=kind.control, stratum=kind.stratum)


Draws = Sequence[JudgedDraw]


def alike(draws: Draws) -> Iterable[tuple[JudgedDraw, int]]:
    """Draws that are the same but for place and numbers, with how many they are; plain draws stand for themselves."""
    return draws.alike() if isinstance(draws, DrawTable) else ((draw, 1) for draw in draws)


def where(draws: Draws, holds: Holds) -> Draws:
    """The draws for which something holds that reads neither place nor number."""
    return draws.where(holds) if isinstance(draws, DrawTable) else tuple(draw for draw in draws if holds(draw))


def placed(draws: Draws, holds: Holds) -> Iterator[tuple[str, int, JudgedDraw]]:
    """Task, repeat and kind of the draws for which something holds."""
    if not isinstance(draws, DrawTable):
        return ((draw.draw.task_id, draw.draw.repeat, draw) for draw in draws if holds(draw))
    right = [holds(kind) for kind in draws.kinds]
    if not any(right):
        return iter(())
    at = array("I", places(draws.flags(right)))
    names = map(draws.tasks.__getitem__, map(draws.task.__getitem__, at))
    kinds = map(draws.kinds.__getitem__, map(draws.kind.__getitem__, at))
    return zip(names, map(draws.repeat.__getitem__, at), kinds, strict=True)


def counted(draws: Draws, name: str, holds: Holds) -> Iterator[tuple[str, Count]]:
    """Task and one number of the counting attempt, of the started draws for which something holds."""
    if not isinstance(draws, DrawTable):
        read = reader(name)
        yield from ((draw.draw.task_id, read(draw.row)) for draw in draws if draw.row is not None and holds(draw))
        return
    told = [holds(kind) and at == counting(kind) for kind in draws.kinds for at in range(len(kind.tries))]
    if not any(told):
        return
    tries, of_draw = draws.try_flags(told), draws.flags(bool(kind.tries) and holds(kind) for kind in draws.kinds)
    others = compress(draws.coded_tries().codes, tries)
    unknown = [reader(name)(row) for kind in draws.kinds for row in kind.tries]
    tasks = map(draws.tasks.__getitem__, compress(draws.task, of_draw))
    for task, value, other in zip(tasks, compress(draws.numbers[name], tries), others, strict=True):
        yield task, value if value != ELSEWHERE else unknown[other]
