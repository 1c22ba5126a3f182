"""Foreign rows of one long file, line by line, in columns by kind: one row of each kind is read in full, the others are counted.

Whatever cannot be told by kind is read in full by itself, by the very functions that read a short file. Memory grows by some
tens of bytes a row and by the number of kinds.
"""

from __future__ import annotations

import hashlib
import re
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise
from typing import Any, BinaryIO, NamedTuple, Protocol, overload

from denominator.errors import InputError
from denominator.importers.attempts import Built, Reading, build
from denominator.importers.raw import RawRow
from denominator.importers.runs import one_arm
from denominator.importers.values import scalar_text
from denominator.ledger.table import RowTable
from denominator.pipeline.foreign_file import READ_BY_RULES
from denominator.pipeline.large_columns import Plan, plan_of
from denominator.pipeline.large_forms import MOST as MOST_FORMS
from denominator.pipeline.large_forms import Form, form_of
from denominator.pipeline.row_kinds import numbers_of
from denominator.pipeline.row_numbering import Kinds
from denominator.records.draws import ELSEWHERE
from denominator.records.labels import Label
from denominator.records.names import raw_of
from denominator.records.rows import AttemptRow, Defect
from denominator.records.source_said import COLUMN, said_text
from denominator.records.values import is_placeholder
from denominator.wire.jsonl import RawBlock, raw_blocks
from denominator.wire.names import id_problem
from denominator.wire.strict import read

MOST_KNOWN = 50_000
"""Kinds of lines that are remembered; rows of later ones are read one by one."""
DIGEST_BYTES = 32
AT_ONCE = 50_000
FARTHEST = 2**16
WORDS = re.compile(r"[A-Za-z0-9_]+(?:[-./][A-Za-z0-9_]+)*")
LONG = 400


Place = tuple[int, int]
"""Number and offset of a line."""


class Sha(Protocol):
    """A digest that was taken."""

    def hexdigest(self) -> str:
        """As text."""
        ...


class UnusualError(Exception):
    """This file is not for this road: it is read the long way."""


class Known(NamedTuple):
    """What every row of one kind of line is: its kind, its attempt, its numbers, and which of them each row has itself."""

    kind: int
    attempt: int
    numbers: tuple[int, ...]
    opened: tuple[tuple[int, int], ...]


class Spied(dict[str, Any]):
    """A row that remembers which of its keys were asked for by name."""

    def __init__(self, value: Mapping[str, Any]) -> None:
        super().__init__(value)
        self.asked: set[object] = set()

    def __getitem__(self, key: str) -> Any:
        self.asked.add(key)
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self.asked.add(key)
        return super().__contains__(key)

    def get(self, key: str, default: Any = None) -> Any:
        """As of any dict."""
        self.asked.add(key)
        return super().get(key, default)


@dataclass(slots=True)
class Columns:
    """Rows that come one after another, until `done`."""

    table: RowTable = field(default_factory=RowTable)
    kind: list[int] = field(default_factory=list)
    task: list[int] = field(default_factory=list)
    repeat: list[int] = field(default_factory=list)
    offset: list[int] = field(default_factory=list)
    numbers: list[Sequence[int]] = field(default_factory=list)
    lines: array[int] = field(default_factory=lambda: array("I"))
    places: array[int] = field(default_factory=lambda: array("Q"))

    def add(self, line: Place, task: int, repeat: int, attempt: int, kind: int, numbers: Sequence[int]) -> None:
        """One more row."""
        self.kind.append(kind)
        self.task.append(task)
        self.repeat.append(repeat)
        self.offset.append(line[1])
        self.numbers.append(numbers)
        self.lines.append(line[0])
        self.places.append((task * FARTHEST + repeat) * FARTHEST + attempt)

    def done(self) -> None:
        """What came goes into the table."""
        if self.kind:
            self.table.extend(self.kind, self.task, self.repeat, tuple(zip(*self.numbers, strict=True)), self.offset)
        for some in (self.kind, self.task, self.repeat, self.offset, self.numbers):
            some.clear()

    def twice(self) -> bool:
        """Do two rows have one key?"""
        return any(one == other for one, other in pairwise(sorted(self.places)))


@dataclass(slots=True)
class LargeRows:
    """One long file while it is read.

    `asked` are keys that a column map names, `special` says what of a task's own place is part of the kind, `fits` looks at new
    keys. `keys` are all that rows hold; `seen` counts lines, `read_rows` those that are rows.
    """

    name: str
    run_id: str
    reading: Reading
    kinds: Kinds
    asked: frozenset[str]
    special: Callable[[str], str]
    fits: Callable[[Plan, tuple[str, ...]], None]
    columns: Columns = field(default_factory=Columns)
    defects: list[Defect] = field(default_factory=list)
    digests: bytearray = field(default_factory=bytearray)
    arms: dict[str, RawRow] = field(default_factory=dict)
    runs: set[str] = field(default_factory=set)
    keys: set[str] = field(default_factory=set)
    seen: int = 0
    read_rows: int = 0
    _tasks: dict[str, tuple[int, str]] = field(default_factory=dict)
    _plans: dict[tuple[str, ...], tuple[Plan, dict[str, Known]]] = field(default_factory=dict)
    _forms: list[Form] = field(default_factory=list)
    _unknown: tuple[Form, object] | None = None
    _known: int = 0

    def read(self, file: BinaryIO, passed: int) -> None:
        """Every line; the first `passed` are no rows. UnusualError: a line that is no row, or a key that stands twice."""
        for block in raw_blocks(file):
            lines, offset = (block.lines, block.offset) if isinstance(block, RawBlock) else ([block.raw], block.offset)
            for number, line in enumerate(lines, block.number):
                sha = hashlib.sha256(line)
                self.digests += sha.digest()
                if self.seen < passed or not self._by_form((number, offset), line):
                    self._by_value((number, offset), line, sha, head=self.seen < passed)
                self.seen += 1
                offset += len(line) + 1
            self.columns.done()
        self.read_rows = self.seen - passed
        self.columns.done()
        if self.columns.twice():
            raise UnusualError("two rows have one key")
        self.columns.places = array("Q")

    def content(self) -> str:
        """The digest of the file's lines, whatever their order; they are forgotten."""
        found = sorted(bytes(self.digests[at : at + DIGEST_BYTES]) for at in range(0, len(self.digests), DIGEST_BYTES))
        self.digests = bytearray()
        over, rest, before = hashlib.sha256(), iter(found), ""
        while some := list(islice(rest, AT_ONCE)):
            over.update((before + "\n".join(one.hex() for one in some)).encode())
            before = "\n"
        return over.hexdigest()

    def _by_form(self, place: Place, line: bytes) -> bool:
        """A line of a kind that is known, told by its bytes; false where it has to be read."""
        for form in self._forms:
            if (found := form.match(line)) is not None:
                break
        else:
            return False
        groups = found.groups()
        task = self._task(groups[form.task].decode())
        told = [value(groups[at]) for at, value in form.opened]
        if task is None or None in told:
            return False
        mark = (task[1], *[(one and one.__class__ is int) or one for one in told], form.kind(groups))
        known: Known | None = form.known.get(mark)
        if known is None:
            self._unknown = form, mark
            return False
        repeat = int(groups[form.repeat]) if form.repeat >= 0 else 1
        self.columns.add(place, task[0], repeat, known.attempt, known.kind, _filled(known, told))
        return True

    def _by_value(self, place: Place, line: bytes, sha: Sha, *, head: bool) -> None:
        """A line that is read as JSON. UnusualError: it is no row."""
        unknown, self._unknown = self._unknown, None
        value, _ = read(line, "decimal")
        if value.__class__ is not dict or b"\r" in line:
            raise UnusualError(f"line {place[0]} is no plain row")
        if head:
            return
        keys = tuple(value)
        if keys not in self._plans:
            self._plans[keys] = self._planned(keys), {}
            form = form_of(keys, self._plans[keys][0], line) if len(self._forms) < MOST_FORMS else None
            self._forms += [form] if form else []
        known = self._row(place, value, sha, keys)
        if unknown and known and len(unknown[0].known) < MOST_KNOWN:
            unknown[0].known[unknown[1]] = known

    def _row(self, place: Place, value: dict[str, Any], sha: Sha, keys: tuple[str, ...]) -> Known | None:
        """Read a row; what is known of all rows like it, where something is."""
        plan, known = self._plans[keys]
        task = self._task(value.get(plan.task)) if plan.task else None
        repeat = value.get(plan.repeat) if plan.repeat else 1
        told = _told(plan, value)
        if plan.alone or task is None or told is None or type(repeat) is not int or not 0 < repeat < FARTHEST:
            self._alone(place, value, sha)
            return None
        number, special = task
        classes = [int(one > 0) if isinstance(one, int) else one for one in told]
        mark = repr((special, classes, [value[key] for key in plan.kind]))
        mark = mark if len(mark) < LONG else hashlib.sha256(mark.encode("utf-8", "surrogatepass")).hexdigest()
        found = known.get(mark)
        if found is None:
            first = self._first(place, value, sha, plan, told)
            if first is not None and self._known < MOST_KNOWN:
                known[mark] = first
                self._known += 1
            return first
        self.columns.add(place, number, repeat, found.attempt, found.kind, _filled(found, told))
        return found

    def _planned(self, keys: tuple[str, ...]) -> Plan:
        shape = self.reading.shape
        plan = plan_of(keys, shape.renames, self.reading.only, self.asked)
        self.fits(plan, keys)
        return plan

    def _task(self, name: object) -> tuple[int, str] | None:
        """A task's number and place of its own; None where its name cannot be a key as it stands."""
        found = self._tasks.get(name) if isinstance(name, str) else None
        if found is None and isinstance(name, str) and not is_placeholder(name) and _is_id(name):
            found = (self.columns.table.tasks.number(raw_of(name)), self.special(name))
            self._tasks[name] = found
        return found

    def _first(self, place: Place, value: dict[str, Any], sha: Sha, plan: Plan, told: Sequence[object]) -> Known | None:
        """A row that may stand for others: what is known of all of them, or None where it stands for itself alone."""
        spied = Spied(value)
        row = self._alone(place, spied, sha)
        if row is None or spied.asked & plan.beside:
            return None
        numbers, opened = numbers_of(row), []
        for at, (_, which, _) in enumerate(plan.opened):
            if which < 0 or told[at] is None:
                continue
            if numbers[which] == told[at]:
                opened.append((which, at))
            elif numbers[which] != ELSEWHERE:
                return None
        return Known(self.kinds.number(_as_kind(row)), row.key.attempt, numbers, tuple(opened))

    def _alone(self, place: Place, value: Mapping[str, Any], sha: Sha) -> AttemptRow | None:
        """A row that is read in full; None where something is wrong with it."""
        found = RawRow(self.name, place[0], sha.hexdigest(), value)
        self._mixed(found)
        built = build([found], self.reading, self.run_id)
        self.defects += built.defects
        if not built.rows:
            return None
        self.keys.update(value)
        row = said_of(built)
        if row.green_without_agent is True or row.key.repeat >= FARTHEST or row.key.attempt >= FARTHEST:
            raise UnusualError("a row that the terms speak of")
        number = self.columns.table.tasks.number(raw_of(row.key.task_id))
        kind = self.kinds.number(_as_kind(row))
        self.columns.add(place, number, row.key.repeat, row.key.attempt, kind, numbers_of(row))
        return None if built.defects else row

    def _mixed(self, row: RawRow) -> None:
        """Rows of two arms or runs are never mixed."""
        value = dict(row.value)
        if (arm := value.get("arm")) is not None and scalar_text(arm) not in self.arms:
            self.arms[scalar_text(arm)] = row
            one_arm([replace(one, value=dict(one.value)) for one in self.arms.values()])
        if isinstance(run := value.get("run_id"), str) and run:
            self.runs.add(run)


def _filled(known: Known, told: Sequence[int | str | None]) -> Sequence[int]:
    """The numbers of a row: those of its kind, and its own."""
    if not known.opened:
        return known.numbers
    numbers = list(known.numbers)
    for place, at in known.opened:
        numbers[place] = told[at]  # type: ignore[assignment]
    return numbers


def _is_id(name: str) -> bool:
    """Can it be a key? Most ids are words and dots and slashes, which hold nothing that a closer look would find."""
    return WORDS.fullmatch(name) is not None or id_problem(name) is None


def _told(plan: Plan, value: Mapping[str, object]) -> list[int | str | None] | None:
    """What stands beside the kind; nothing where one of them can only be read with the whole row. A null stays null."""
    told: list[int | str | None] = []
    for key, _, number in plan.opened:
        one = value[key]
        found = None if one is None else number(one)
        if found is None and one is not None:
            return None
        told.append(found)
    return told


def _as_kind(row: AttemptRow) -> AttemptRow:
    """Without the columns that no rule reads."""
    return replace(row, extra={name: value for name, value in row.extra.items() if name in READ_BY_RULES})


def said_of(built: Built) -> AttemptRow:
    """The one row that was built, with what its source thinks of it inside."""
    row, labels = built.rows[0], built.labels
    return replace(row, extra={**row.extra, COLUMN: said_text(labels)}) if labels else row


class WholeForeign(Sequence[AttemptRow]):
    """Every row of a long foreign file, read again when it is looked at."""

    def __init__(self, file: BinaryIO, rows: LargeRows) -> None:
        self._file, self._rows = file, rows

    def __len__(self) -> int:
        return len(self._rows.columns.lines)

    @overload
    def __getitem__(self, at: int, /) -> AttemptRow: ...
    @overload
    def __getitem__(self, at: slice, /) -> tuple[AttemptRow, ...]: ...
    def __getitem__(self, at: int | slice, /) -> AttemptRow | tuple[AttemptRow, ...]:
        if isinstance(at, slice):
            return tuple(self[one] for one in range(*at.indices(len(self))))
        row, labels = self.built(self._rows.columns.table.offsets[at], self._rows.columns.lines[at])
        return replace(row, extra={**row.extra, COLUMN: said_text(labels)}) if labels else row

    def built(self, offset: int, number: int) -> tuple[AttemptRow, Sequence[Label]]:
        """A row and the labels of its source. InputError: the file is another one by now."""
        self._file.seek(offset)
        raw = self._file.readline().removesuffix(b"\n")
        value, _ = read(raw, "decimal")
        rows = self._rows
        if value.__class__ is dict:
            sha = hashlib.sha256(raw).hexdigest()
            found = build([RawRow(rows.name, number, sha, value)], rows.reading, rows.run_id)
            if found.rows:
                return found.rows[0], found.labels
        raise InputError("was changed while it was read", where=rows.name, fix="run this again")
