"""What was read from one range of a ledger file, as it goes from one process to another: columns, never a row for a row."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO, BinaryIO, NamedTuple, TypeVar

from denominator.errors import InputError
from denominator.ledger.table import RowTable
from denominator.pipeline.label_stream import what_is_wrong
from denominator.pipeline.row_reading import TORN, RowReader
from denominator.records.rows import AttemptRow
from denominator.records.seals import Terms
from denominator.wire.jsonl import RawBlock, RawLine, raw_blocks

T = TypeVar("T")
MOST_DEFECTS = 1000
AT_ONCE = 2**16
"""Rows, names or kinds in one message."""


class Fault(NamedTuple):
    """A line that is no row: its number in its range, the word of the defect, what is wrong, whether it blocks."""

    line: int
    kind: str
    what: str
    blocks: bool


class Columns(NamedTuple):
    """Some rows; kinds and tasks by the numbers they have in their part."""

    kinds: Sequence[int]
    tasks: Sequence[int]
    repeats: Sequence[int]
    numbers: Sequence[Sequence[int]]
    offsets: Sequence[int]


@dataclass(slots=True)
class Told:
    """What another process says of its range. `kinds` by digest and names of tasks (UTF-8) stand in the order of their numbers."""

    lines: int = 0
    more: int = 0
    kinds: dict[bytes, AttemptRow] = field(default_factory=dict)
    tasks: list[bytes] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    rows: list[Columns] = field(default_factory=list)
    all: bool = False

    def add(self, more: Told) -> None:
        """What comes next of the same range."""
        self.kinds |= more.kinds
        self.tasks += more.tasks
        self.faults += more.faults
        self.rows += more.rows
        self.lines, self.more, self.all = self.lines + more.lines, self.more + more.more, more.all


@dataclass(slots=True)
class Part:
    """Ranges that follow each other from the begin of a file, or one range. Lines are counted from 1 in it.

    `more` lines are no rows beside those of `faults`.
    """

    reader: RowReader
    table: RowTable = field(default_factory=RowTable)
    faults: list[Fault] = field(default_factory=list)
    more: int = 0
    lines: int = 0

    def read(self, file: BinaryIO, offset: int, go_on: Callable[[], None] = lambda: None) -> None:
        """The lines of the next range, which begins at this byte of the file. `go_on` is called again and again."""
        before = self.lines
        for block in raw_blocks(file, offset):
            go_on()
            found = self.reader.read(block)
            self.table.extend(found.kinds, found.tasks, found.repeats, found.numbers, found.offsets)
            for line, error in found.bad:
                self._add(before, line, error)
            self.lines += len(block.lines) if isinstance(block, RawBlock) else 1

    def take(self, told: Told) -> None:
        """What another process read from the next range. Kinds and tasks get the numbers they would have got here."""
        kinds = self.reader.known.numbered(told.kinds)
        while told.rows:
            rows = told.rows.pop(0)
            tasks = [told.tasks[at] for at in rows.tasks]
            self.table.extend([kinds[at] for at in rows.kinds], tasks, rows.repeats, rows.numbers, rows.offsets)
        room = MOST_DEFECTS - len(self.faults)
        self.faults += [one._replace(line=one.line + self.lines) for one in told.faults[:room]]
        self.more += told.more + len(told.faults[room:])
        self.lines += told.lines

    def _add(self, before: int, line: RawLine, error: InputError) -> None:
        if len(self.faults) >= MOST_DEFECTS:
            self.more += 1
            return
        kind, blocks = ("bad_line", True) if line.raw.strip() or line.too_long else ("blank_line", False)
        if not line.ended and blocks and error.what == TORN:
            kind, blocks = "torn_tail", False
        self.faults.append(Fault(before + line.number, kind, what_is_wrong(error), blocks))


def new_part(terms: Terms) -> Part:
    """Nothing read yet."""
    return Part(RowReader(terms))


def send(part: Part, out: BinaryIO) -> None:
    """Write what was read, in messages of bounded size. The last one says that it is all."""
    table = part.table
    for kinds in _pieces(list(part.reader.known.digests().items())):
        _write(out, Told(kinds=dict(kinds)))
    for names in _pieces(list(table.tasks)):
        _write(out, Told(tasks=[name.encode("utf-8", "surrogatepass") for name in names]))
    for at in range(0, len(table.task), AT_ONCE):
        some = slice(at, at + AT_ONCE)
        numbers = [column[some] for column in table.numbers]
        rows = Columns(table.kind[some], table.task[some], table.repeat[some], numbers, table.offsets[some])
        _write(out, Told(rows=[rows]))
    _write(out, Told(lines=part.lines, more=part.more, faults=part.faults, all=True))
    out.flush()


def receive(source: IO[bytes]) -> Told | None:
    """What another process wrote; nothing where it ended before it had said all."""
    told = Told()
    try:
        while not told.all:
            told.add(pickle.load(source))  # noqa: S301 (a pipe of our own process, which nobody else can write to)
    except (EOFError, OSError, pickle.UnpicklingError):
        return None
    return told


def _write(out: BinaryIO, told: Told) -> None:
    pickle.dump(told, out, pickle.HIGHEST_PROTOCOL)


def _pieces(values: Sequence[T]) -> Iterator[Sequence[T]]:
    for at in range(0, len(values), AT_ONCE):
        yield values[at : at + AT_ONCE]
