"""Rows by kind in columns, and the draws that they make: what a ledger of a million rows is held as.

Of a row only its task, its repeat, its kind, its place in the file and a few numbers are kept. Rows that may be a defect by
themselves (a key twice, a draw that nobody declared, a retry that nobody allowed) are named by number: they are few, and
whoever holds the file reads them again, whole.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress

from denominator.ledger.audit import Tallies, excluded, undeclared_retry
from denominator.ledger.counting import Axes, axes_of, judged_draw
from denominator.ledger.draw_kinds import Said, draw_kinds
from denominator.ledger.slots import Seated, Slots, Stated, of_rows, seated
from denominator.records.column_work import WORK, Numbers, Work
from denominator.records.columns import Column
from denominator.records.draws import NOWHERE, NUMBERS, DrawTable
from denominator.records.judgements import UNKNOWN, JudgedDraw
from denominator.records.keys import DrawKey
from denominator.records.labels import Label
from denominator.records.names import Numbered
from denominator.records.rows import AttemptRow, Declared
from denominator.records.seals import Terms
from denominator.records.values import NotMeasured


@dataclass(frozen=True, slots=True)
class Kind:
    """A row that stands for all of its kind, its labels (by axis too), and whether its rows may be defects by themselves."""

    row: AttemptRow
    labels: tuple[Label, ...]
    said: Axes
    suspect: bool


def kind(row: AttemptRow, labels: tuple[Label, ...], terms: Terms) -> Kind:
    """A kind of rows under some terms."""
    return Kind(row, labels, axes_of(labels), undeclared_retry(row, terms) or excluded(row))


def small() -> array[int]:
    """A column of whole numbers; it becomes wider when one does not fit."""
    return array("i")


def extended(column: array[int], values: Sequence[int]) -> array[int]:
    """A column with more numbers; a wider one where one of them does not fit."""
    more = array(column.typecode)
    # An array takes no array of another width, but its numbers one by one.
    other = isinstance(values, array) and values.typecode != column.typecode
    try:
        more.extend(iter(values) if other else values)
    except OverflowError:
        column, more = array("q", column), array("q")
        more.extend(iter(values))
    column.extend(more)
    return column


@dataclass(slots=True)
class RowTable:
    """Rows as they come, or in another order: then `lines` says the how many-th row of the file each is.

    `offsets` are places of their lines in the file, `work` is how columns are worked on.
    """

    tasks: Numbered = field(default_factory=Numbered)
    task: array[int] = field(default_factory=small)
    repeat: array[int] = field(default_factory=small)
    kind: array[int] = field(default_factory=small)
    offsets: array[int] = field(default_factory=lambda: array("I"))
    numbers: list[array[int]] = field(default_factory=lambda: [small() for _ in NUMBERS])
    lines: array[int] | None = None
    work: Work = WORK

    def extend(
        self,
        kinds: Sequence[int],
        tasks: Sequence[int],
        repeats: Sequence[int],
        numbers: Sequence[Sequence[int]],
        offsets: Sequence[int],
    ) -> None:
        """More rows, in columns."""
        self.task.extend(tasks)
        self.kind.extend(kinds)
        self.repeat.extend(repeats)
        self.offsets = extended(self.offsets, offsets)
        self.numbers = list(map(extended, self.numbers, numbers))

    def numbered(self, tasks: Sequence[bytes]) -> list[int]:
        """Tasks by number, given their names in UTF-8; most rows of a task follow each other."""
        known = {name: self.tasks.number(name) for name in dict.fromkeys(tasks)}
        return list(map(known.__getitem__, tasks))

    def seated(self, slots: Slots) -> Seated:
        """The rows in the slots of their draws."""
        return seated(slots.put(self.task, self.repeat), len(slots))

    def columns(self) -> Sequence[Column]:
        """The numbers of all rows."""
        return self.numbers

    def in_file(self, rows: Iterable[int]) -> array[int]:
        """Where some rows are in the file."""
        return array("I", rows if self.lines is None else map(self.lines.__getitem__, rows))

    def forget(self) -> None:
        """Keep only what is still read when the draws are made: places in the file, and numbers."""
        self.task, self.repeat, self.kind = small(), small(), small()


@dataclass(frozen=True, slots=True)
class Drawn:
    """The draws that rows make, the numbers of rows that must be read again, rows by kind with how many they are, and the
    labels of those on which a rule could not be evaluated."""

    draws: DrawTable
    tallies: Tallies
    suspects: array[int]
    alike: tuple[tuple[AttemptRow, int], ...]
    unknown: tuple[Label, ...]


class Drawing:
    """Makes draws of rows. `settle` says which of several rows with one key stays; `listed`: somebody declared the draws."""

    def __init__(
        self, rows: RowTable, kinds: Sequence[Kind], settle: Callable[[Sequence[int]], int], listed: bool
    ) -> None:
        self.rows, self.kinds, self.settle, self.listed = rows, kinds, settle, listed
        self.suspects = array("I")
        self._many = rows.work.how_often(rows.kind, len(kinds))
        self._orders: dict[tuple[int, ...], Sequence[int]] = {}

    def draw(self, declared: Stated | None) -> Drawn:
        """All draws, sorted. Without declarations the draws are those of the rows."""
        rows = self.rows
        stated = of_rows(rows.tasks, rows.task, rows.repeat) if declared is None else declared
        slots = Slots(stated, rows.tasks)
        unknown = tuple(self._unknown())
        rows.tasks = Numbered()  # nothing below asks for a name of them, and they are much of what is held
        seats = rows.seated(slots)
        one, crowd = seats.one, seats.several
        groups = [*crowd.values(), *self._by_draw(seats.away)]
        kept = {slot: self._distinct(found) for slot, found in crowd.items()}
        fewer = ((crowd[slot], found) for slot, found in kept.items() if len(found) < len(crowd[slot]))
        late = sum(bool(self._started(given)) and not self._started(found) for given, found in fewer)
        twice = dict(slots.again())
        for slot, first in twice.items():
            one[slot] = one[first]
            if first in kept:
                kept[slot] = kept[first]
        self.suspects.extend(seats.away)
        self.suspects.extend(self._odd_rows())
        table = self._table(slots, one, kept)
        tallies = self._tallies(table, late, tuple(twice), self._strata(groups))
        found = Drawn(table, tallies, rows.in_file(self.suspects), self._alike(), unknown)
        rows.forget()
        return found

    def _odd_rows(self) -> Iterable[int]:
        """Rows that may be a defect whatever the others are."""
        odd = [kind.suspect for kind in self.kinds]
        return compress(range(len(self.rows.kind)), map(odd.__getitem__, self.rows.kind)) if any(odd) else ()

    def _by_draw(self, rows: Iterable[int]) -> Iterable[list[int]]:
        """Rows in groups, those of one draw together."""
        found: dict[tuple[int, int], list[int]] = {}
        for at in rows:
            found.setdefault((self.rows.task[at], self.rows.repeat[at]), []).append(at)
        return found.values()

    def _order(self, kinds: tuple[int, ...]) -> Sequence[int]:
        """How rows of some kinds come by run and attempt; a range where they do as they stand, empty where two have one key."""
        if kinds not in self._orders:
            keys = [(key.run_id, key.attempt) for key in (self.kinds[kind].row.key for kind in kinds)]
            alone = len(set(keys)) == len(keys)
            as_they_stand = range(len(keys))
            order = sorted(as_they_stand, key=keys.__getitem__) if alone else []
            self._orders[kinds] = as_they_stand if order == list(as_they_stand) else order
        return self._orders[kinds]

    def _distinct(self, rows: Sequence[int]) -> Sequence[int]:
        """Rows of one draw, sorted by run and attempt, one of each key."""
        if order := self._order(tuple(map(self.rows.kind.__getitem__, rows))):
            return rows if isinstance(order, range) else list(map(rows.__getitem__, order))
        of_key: dict[tuple[str, int], list[int]] = {}
        for at in rows:
            key = self.kinds[self.rows.kind[at]].row.key
            of_key.setdefault((key.run_id, key.attempt), []).append(at)
        kept = []
        for _, same in sorted(of_key.items()):
            if len(same) > 1:
                self.suspects.extend(same)
            kept.append(same[0] if len(same) == 1 else self._settled(same))
        return kept

    def _settled(self, same: Sequence[int]) -> int:
        places = list(self.rows.in_file(same))
        return same[places.index(self.settle(places))]

    def _started(self, rows: Sequence[int]) -> list[int]:
        return [at for at in rows if self.kinds[self.rows.kind[at]].row.started]

    def _table(self, slots: Slots, one: array[int], several: Mapping[int, Sequence[int]]) -> DrawTable:
        """The draws in columns."""
        drawn: list[JudgedDraw] = []

        def make(said: Said, rows: Sequence[int]) -> int:
            drawn.append(self._drawn(said, [self.kinds[at] for at in rows]))
            return len(drawn) - 1

        rows = [kind.row for kind in self.kinds]
        work = self.rows.work
        kind = draw_kinds(slots, self.rows.kind, rows, one, several, self.listed, make, work)
        all_started = all(row.started for row in rows)
        started = several if all_started else {slot: self._started(found) for slot, found in several.items()}
        attempts = _attempts(one, started, [bool(draw.tries) for draw in drawn], kind)
        numbers = Numbers(dict(zip(NUMBERS, self.rows.columns(), strict=True)), attempts, work)
        return DrawTable(slots.names, slots.task, slots.repeat, kind, drawn, numbers, work=work)

    def _drawn(self, said: Said, kinds: Sequence[Kind]) -> JudgedDraw:
        started = [kind for kind in kinds if kind.row.started]
        declared = Declared(draw=NOWHERE, slice=said[0], control=said[1], stratum=said[2])
        return judged_draw(declared, [one.row for one in started], [one.said for one in started])

    def _strata(self, groups: Sequence[Sequence[int]]) -> Mapping[str, int]:
        """Of each stratum how many draws have a row in it. `groups` are the rows of draws that may have several."""
        kind, strata = self.rows.kind, [kind.row.stratum for kind in self.kinds]
        found: Counter[str] = Counter()
        for number, many in enumerate(self._many):
            found[strata[number]] += many
        several = Counter(tuple(map(kind.__getitem__, group)) for group in groups)
        for kinds, many in several.items():
            for number in kinds:
                found[strata[number]] -= many
            found.update(dict.fromkeys({strata[number] for number in kinds}, many))
        return +found

    def _alike(self) -> tuple[tuple[AttemptRow, int], ...]:
        return tuple((one.row, many) for one, many in zip(self.kinds, self._many, strict=True))

    def _unknown(self) -> Iterator[Label]:
        """Labels that say unknown, on every row of their kind."""
        odd = {at: [one for one in kind.labels if one.value == UNKNOWN] for at, kind in enumerate(self.kinds)}
        if any(odd.values()):
            names = self.rows.tasks
            for task, repeat, at in zip(self.rows.task, self.rows.repeat, self.rows.kind, strict=True):
                for label in odd[at]:
                    yield replace(label, key=replace(label.key, task_id=names[task], repeat=repeat))

    def _tallies(self, table: DrawTable, late: int, twice: Sequence[int], strata: Mapping[str, int]) -> Tallies:
        """`late` draws have a started row, but none that stays; the draws at `twice` stand in the list once more."""
        tried = sum(many for draw, many in table.alike() if draw.row is not None)
        again = sum(table.kinds[table.kind[at]].row is not None for at in twice)
        solvable = sum(many for draw, many in table.alike() if draw.slice == "solvable")
        keys = (DrawKey(table.tasks[table.task[at]], table.repeat[at]) for at in twice)
        return Tallies(
            listed=len(table) if self.listed else NotMeasured("only a number was declared"),
            solvable=solvable if self.listed else 0,
            observed=tried - again + late,
            twice=tuple(dict.fromkeys(keys)) if self.listed else (),
            run_ids=tuple(sorted({one.row.key.run_id for one in self.kinds})),
            strata=strata,
        )


def _attempts(
    one: array[int], several: Mapping[int, Sequence[int]], tried: Sequence[bool], kind: Sequence[int]
) -> array[int]:
    """The attempts of all draws, in order: the row of each that has one, or several rows; `tried` says it of each kind."""
    some = None if all(tried) else bytes(map(tried.__getitem__, kind))
    found, begin = array("i"), 0
    if some is None:
        return array("i", b"".join(_pieces(one, several)))
    for slot in (*sorted(several), len(one)):
        found.extend(array("i", compress(one[begin:slot], some[begin:slot])))
        found.extend(several.get(slot, ()))
        begin = slot + 1
    return found


def _pieces(one: array[int], several: Mapping[int, Sequence[int]]) -> Iterator[memoryview | array[int]]:
    """The row of each slot, or its several rows, in order."""
    view, begin = memoryview(one), 0
    for slot in sorted(several):
        yield view[begin:slot]
        yield array("i", several[slot])
        begin = slot + 1
    yield view[begin:]
