"""What was read from one range of a ledger file, as it goes from one process to another: columns, never a row for a row."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import IO, BinaryIO, NamedTuple

from denominator.errors import InputError
from denominator.ledger.table import RowTable
from denominator.pipeline.label_stream import what_is_wrong
from denominator.pipeline.row_ranges import Range, opened_range
from denominator.pipeline.row_reading import TORN, RowReader
from denominator.pipeline.row_sending import Columns, pieces, received, taken, write
from denominator.records.names import Names, Numbered
from denominator.records.rows import AttemptRow
from denominator.records.seals import Terms
from denominator.wire.jsonl import RawBlock, RawLine, raw_blocks

MOST_DEFECTS = 1000


class Fault(NamedTuple):
    """A line that is no row: its number in its range, the word of the defect, what is wrong, whether it blocks."""

    line: int
    kind: str
    what: str
    blocks: bool


@dataclass(slots=True)
class Told:
    """What another process says of its range. `kinds` by digest and names of tasks stand in the order of their numbers."""

    lines: int = 0
    more: int = 0
    kinds: dict[bytes, AttemptRow] = field(default_factory=dict)
    tasks: Names = field(default_factory=Names)
    faults: list[Fault] = field(default_factory=list)
    rows: list[Columns] = field(default_factory=list)
    all: bool = False

    def add(self, more: Told) -> None:
        """What comes next of the same range."""
        self.kinds |= more.kinds
        for name in more.tasks.raws():
            self.tasks.append(name)
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
            tasks = self.table.numbered(found.tasks)
            self.table.extend(found.kinds, tasks, found.repeats, found.numbers, found.offsets)
            for line, error in found.bad:
                self._add(before, line, error)
            self.lines += len(block.lines) if isinstance(block, RawBlock) else 1

    def take(self, told: Told) -> None:
        """What another process read from the next range. Kinds and tasks get the numbers they would have got here."""
        kinds = self.reader.known.numbered(told.kinds)
        tasks = array("i", map(self.table.tasks.number, told.tasks.raws()))
        while told.rows:
            rows = told.rows.pop(0)
            of_kind, of_task = (
                [names[at] for at in some] for names, some in ((kinds, rows.kinds), (tasks, rows.tasks))
            )
            self.table.extend(of_kind, of_task, rows.repeats, rows.numbers, rows.offsets)
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
    """Write what was read, in messages of bounded size, and forget it. The last one says that it is all."""
    table = part.table
    for kinds in pieces(list(part.reader.known.digests().items())):
        write(out, Told(kinds=dict(kinds)))
    for numbers in pieces(range(len(table.tasks))):
        write(out, Told(tasks=Names(map(table.tasks.raw, numbers))))
    table.tasks = Numbered()
    while table.task:
        write(out, Told(rows=[taken(table)]))
    write(out, Told(lines=part.lines, more=part.more, faults=part.faults, all=True))
    out.flush()


def receive(source: IO[bytes]) -> Told | None:
    """What another process wrote; nothing where it ended before it had said all."""
    return received(Told(), source)


class LedgerWork(NamedTuple):
    """A range of a ledger file, read by another process under these terms."""

    terms: Terms

    def into(self, descriptor: int, part: Range, go_on: Callable[[], None], out: BinaryIO) -> None:
        """Read it, and write down what was read."""
        found = new_part(self.terms)
        found.read(opened_range(descriptor, part), part.start, go_on)
        send(found, out)

    def answer(self, source: IO[bytes]) -> Told | None:
        """What it wrote; nothing where it did not come to the end."""
        return receive(source)
