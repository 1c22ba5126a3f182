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

from denominator.ledger.audit import Tallies, excluded, undeclared_retry
from denominator.ledger.counting import axes_of, judged_draw
from denominator.records.draws import NOWHERE, NUMBERS, DrawTable
from denominator.records.judgements import UNKNOWN, JudgedDraw
from denominator.records.keys import DrawKey
from denominator.records.labels import Label
from denominator.records.rows import AttemptRow, Declared
from denominator.records.seals import Terms
from denominator.records.values import NotMeasured

Axes = Mapping[str, tuple[str, ...]]
AT_ONCE = 40_000
Place = tuple[int, str, str, str]
"""Repeat, slice, control and stratum of a declared draw."""


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


@dataclass(slots=True)
class RowTable:
    """Rows as they come. `offsets` are places of their lines in the file."""

    tasks: dict[str, int] = field(default_factory=dict)
    task: array[int] = field(default_factory=small)
    repeat: array[int] = field(default_factory=small)
    kind: array[int] = field(default_factory=small)
    offsets: array[int] = field(default_factory=lambda: array("q"))
    numbers: list[array[int]] = field(default_factory=lambda: [small() for _ in NUMBERS])
    _new: list[int] = field(default_factory=list)

    def add(self, kind: int, task: str, repeat: int, numbers: Sequence[int], offset: int) -> None:
        """One more row; `settle` comes behind the last one."""
        self.task.append(self.tasks.setdefault(task, len(self.tasks)))
        self.kind.append(kind)
        self.offsets.append(offset)
        self.repeat.append(repeat)
        self._new += numbers
        if len(self._new) >= AT_ONCE:
            self.settle()

    def settle(self) -> None:
        """Put the numbers of the newest rows into their columns."""
        for at in range(len(NUMBERS)):
            new = self._new[at :: len(NUMBERS)]
            try:
                more = array(self.numbers[at].typecode, new)
            except OverflowError:
                self.numbers[at], more = array("q", self.numbers[at]), array("q", new)
            self.numbers[at].extend(more)
        self._new.clear()

    def forget(self) -> None:
        """Keep only what is still read when the draws are made: places in the file, and numbers."""
        self.tasks = {}
        self.task, self.repeat, self.kind = small(), small(), small()

    def by_task(self) -> tuple[array[int], array[int]]:
        """Row numbers, those of one task together, and where each task begins."""
        begins = array("I", bytes(4 * (len(self.tasks) + 1)))
        for task in self.task:
            begins[task + 1] += 1
        for task in range(len(self.tasks)):
            begins[task + 1] += begins[task]
        free, order = begins[:-1], array("I", bytes(4 * len(self.task)))
        for at, task in enumerate(self.task):
            order[free[task]] = at
            free[task] += 1
        return order, begins


@dataclass(frozen=True, slots=True)
class Drawn:
    """The draws that rows make, the numbers of rows that must be read again, rows by kind with how many they are, and the
    labels of those on which a rule could not be evaluated."""

    draws: DrawTable
    tallies: Tallies
    suspects: array[int]
    alike: tuple[tuple[AttemptRow, int], ...]
    unknown: tuple[Label, ...]


Declarations = Iterable[tuple[str, Sequence[Place]]]
"""Tasks in order, each with its declared draws in order."""


class Drawing:
    """Makes draws of rows, task by task. `settle` says which of several rows with one key stays."""

    def __init__(
        self, rows: RowTable, kinds: Sequence[Kind], settle: Callable[[Sequence[int]], int], listed: bool
    ) -> None:
        self.rows, self.kinds, self.settle, self.listed = rows, kinds, settle, listed
        self.task, self.repeat, self.kind = small(), array(rows.repeat.typecode), small()
        self.first, self.attempts = array("I"), array("I")
        self.names: list[str] = []
        self.drawn: list[JudgedDraw] = []
        self.known: dict[tuple[object, ...], int] = {}
        self.suspects = array("I")
        self.observed, self.solvable = 0, 0
        self.late: set[int] = set()
        self.twice: list[DrawKey] = []
        self.strata: dict[str, int] = {}

    def draw(self, declared: Declarations | None) -> Drawn:
        """All draws, sorted. Without declarations the draws are those of the rows."""
        order, begins = self.rows.by_task()
        number = self.rows.tasks
        tasks = self._without(sorted(number)) if declared is None else _merged(declared, sorted(number))
        for name, places in tasks:
            at = number.get(name)
            self._of_task(name, () if at is None else order[begins[at] : begins[at + 1]], places)
        found = Drawn(self._table(), self._tallies(), self.suspects, self._alike(), tuple(self._unknown()))
        self.rows.forget()
        return found

    def _without(self, names: Iterable[str]) -> Iterator[tuple[str, None]]:
        return ((name, None) for name in names)

    def _of_task(self, name: str, found: Sequence[int], places: Sequence[Place] | None) -> None:
        """The draws of one task."""
        self.late.clear()
        of_draw = self._by_repeat(found)
        self.names.append(name)
        if places is None:
            places = [self._place(repeat, rows) for repeat, rows in sorted(of_draw.items())]
        before = None
        for place in places:
            again = place[0] == before
            before = place[0]
            if again and before not in (one.repeat for one in self.twice if one.task_id == name):
                self.twice.append(DrawKey(name, before))
            self._one(place, of_draw.get(before, ()), again)
        declared = {one[0] for one in places}
        if not declared.issuperset(of_draw):
            self.suspects.extend(at for repeat, rows in of_draw.items() if repeat not in declared for at in rows)

    def _by_repeat(self, found: Sequence[int]) -> dict[int, list[int]]:
        """Rows of one task by draw, sorted by run and attempt, one of each key."""
        kinds, kind, repeat = self.kinds, self.rows.kind, self.rows.repeat
        of_draw: dict[int, list[int]] = {}
        for at in found:
            of_draw.setdefault(repeat[at], []).append(at)
            if kinds[kind[at]].suspect:
                self.suspects.append(at)
        for number, rows in of_draw.items():
            self._count_strata(rows)
            if len(rows) > 1:
                of_draw[number] = kept = self._distinct(rows)
                if self._started(rows) and not self._started(kept):
                    self.late.add(number)
        return of_draw

    def _count_strata(self, rows: Sequence[int]) -> None:
        if len(rows) == 1:
            name = self.kinds[self.rows.kind[rows[0]]].row.stratum
            self.strata[name] = self.strata.get(name, 0) + 1
            return
        for name in {self.kinds[self.rows.kind[at]].row.stratum for at in rows}:
            self.strata[name] = self.strata.get(name, 0) + 1

    def _key(self, at: int) -> tuple[str, int]:
        key = self.kinds[self.rows.kind[at]].row.key
        return key.run_id, key.attempt

    def _distinct(self, rows: list[int]) -> list[int]:
        of_key: dict[tuple[str, int], list[int]] = {}
        for at in rows:
            of_key.setdefault(self._key(at), []).append(at)
        kept = []
        for _, same in sorted(of_key.items()):
            if len(same) > 1:
                self.suspects.extend(same)
            kept.append(same[0] if len(same) == 1 else self.settle(same))
        return kept

    def _place(self, repeat: int, rows: Sequence[int]) -> Place:
        row = self.kinds[self.rows.kind[rows[0]]].row
        return repeat, row.slice, row.control, row.stratum

    def _one(self, place: Place, rows: Sequence[int], again: bool) -> None:
        """One declared draw with its started attempts; `again`: it stands in the list a second time."""
        repeat, slice_, control, stratum = place
        kind = self.rows.kind
        key: tuple[object, ...] = (slice_, control, stratum, *[kind[at] for at in rows])
        number = self.known.get(key)
        if number is None:
            number = self.known[key] = self._kind(slice_, control, stratum, rows)
        self.task.append(len(self.names) - 1)
        self.repeat.append(repeat)
        self.kind.append(number)
        self.first.append(len(self.attempts))
        drawn = self.drawn[number]
        self.solvable += slice_ == "solvable"
        self.observed += (drawn.row is not None or repeat in self.late) and not again
        self.attempts.extend(rows if len(drawn.tries) == len(rows) else self._started(rows))

    def _started(self, rows: Sequence[int]) -> list[int]:
        return [at for at in rows if self.kinds[self.rows.kind[at]].row.started]

    def _kind(self, slice_: str, control: str, stratum: str, rows: Sequence[int]) -> int:
        kinds = [self.kinds[self.rows.kind[at]] for at in self._started(rows)]
        declared = Declared(draw=NOWHERE, slice=slice_, control=control, stratum=stratum)
        self.drawn.append(judged_draw(declared, [one.row for one in kinds], [one.said for one in kinds]))
        return len(self.drawn) - 1

    def _alike(self) -> tuple[tuple[AttemptRow, int], ...]:
        many = Counter(self.rows.kind)
        return tuple((one.row, many[number]) for number, one in enumerate(self.kinds))

    def _unknown(self) -> Iterator[Label]:
        """Labels that say unknown, on every row of their kind."""
        odd = {at: [one for one in kind.labels if one.value == UNKNOWN] for at, kind in enumerate(self.kinds)}
        if any(odd.values()):
            names = list(self.rows.tasks)
            for task, repeat, at in zip(self.rows.task, self.rows.repeat, self.rows.kind, strict=True):
                for label in odd[at]:
                    yield replace(label, key=replace(label.key, task_id=names[task], repeat=repeat))

    def _table(self) -> DrawTable:
        numbers = dict(zip(NUMBERS, self.rows.numbers, strict=True))
        return DrawTable(self.names, self.task, self.repeat, self.kind, self.first, self.drawn, self.attempts, numbers)

    def _tallies(self) -> Tallies:
        runs = {one.row.key.run_id for one in self.kinds}
        return Tallies(
            listed=len(self.kind) if self.listed else NotMeasured("only a number was declared"),
            solvable=self.solvable if self.listed else 0,
            observed=self.observed,
            twice=tuple(self.twice) if self.listed else (),
            run_ids=tuple(sorted(runs)),
            strata=self.strata,
        )


def _merged(declared: Declarations, names: Sequence[str]) -> Iterator[tuple[str, Sequence[Place]]]:
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
