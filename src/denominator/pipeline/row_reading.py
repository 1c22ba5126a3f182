"""Rows of a ledger file by kind: a line whose skeleton was seen before is told by its bytes, any other is read as a row."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from operator import add
from typing import Any, NamedTuple

from denominator.errors import InputError
from denominator.pipeline.row_kinds import numbers_of
from denominator.pipeline.row_lines import BESIDE, NOTHING, LineKinds, Told
from denominator.pipeline.row_numbering import Kinds
from denominator.records.rows import AttemptRow
from denominator.records.seals import Terms
from denominator.wire.codec import from_json
from denominator.wire.jsonl import LINE_BYTES_MAX, BadLine, Blank, Line, RawBlock, RawLine, Torn, read_line

FARTHEST = 2**31
TORN = "the line breaks off"


class RowsRead(NamedTuple):
    """Lines that follow each other: of every row its place in the file, the number of its kind, its task in UTF-8, its repeat
    and the numbers that stand beside the kind (a column for each of `NUMBERS`); and the lines that are no rows, each with why."""

    offsets: Sequence[int]
    kinds: Sequence[int]
    tasks: Sequence[bytes]
    repeats: Sequence[int]
    numbers: Sequence[Sequence[int]]
    bad: Sequence[tuple[RawLine, InputError]] = ()


class RowReader:
    """Reads lines as rows and numbers their kinds; `kinds` holds one row for each, `known` numbers them."""

    def __init__(self, terms: Terms) -> None:
        self.known = Kinds(terms)
        self.kinds = self.known.rows
        self._lines = LineKinds(self.known.named, self.known.loop_n)

    def read(self, block: RawBlock | RawLine) -> RowsRead:
        """The rows of some lines."""
        if isinstance(block, RawBlock):
            return self._block(block)
        told = NOTHING if block.too_long else self._lines.tell(block.raw + b"\n", [block.raw])
        return self._one_by_one([block], told)

    def _block(self, block: RawBlock) -> RowsRead:
        offsets = list(map(add, accumulate(map(len, block.lines), initial=block.offset), range(len(block.lines))))
        told = NOTHING if len(block.text) > LINE_BYTES_MAX else self._lines.tell(block.text, block.lines)
        if len(told.at) == len(block.lines):
            kinds = [kind for kind in map(self._lines.kind, told.skeletons) if kind is not None]
            if len(kinds) == len(offsets):
                return RowsRead(offsets, kinds, told.tasks, told.repeats, told.numbers)
        return self._one_by_one([block.line(at, offset) for at, offset in enumerate(offsets)], told)

    def _one_by_one(self, lines: Sequence[RawLine], told: Told) -> RowsRead:
        """Lines of which some must be read as rows."""
        place = {line: at for at, line in enumerate(told.at)}
        found: list[tuple[int, int, bytes, int]] = []
        numbers: list[Sequence[int]] = []
        bad: list[tuple[RawLine, InputError]] = []
        for number, line in enumerate(lines):
            at = place.get(number)
            kind = None if at is None else self._lines.kind(told.skeletons[at])
            if at is not None and kind is not None:
                found.append((line.offset, kind, told.tasks[at], told.repeats[at]))
                numbers.append([column[at] for column in told.numbers])
                continue
            try:
                kind, row = self._as_row(line, None if at is None else told.skeletons[at])
            except InputError as error:
                bad.append((line, error))
                continue
            found.append((line.offset, kind, row.key.task_id.encode("utf-8", "surrogatepass"), row.key.repeat))
            numbers.append(numbers_of(row))
        columns = list(zip(*numbers, strict=True)) or [()] * BESIDE
        offsets, kinds, tasks, repeats = zip(*found, strict=True) if found else ((), (), (), ())
        return RowsRead(offsets, kinds, tasks, repeats, columns, bad)

    def _as_row(self, line: RawLine, skeleton: tuple[object, ...] | None) -> tuple[int, AttemptRow]:
        row, value = _whole(line)
        kind = self.known.number(row)
        self._lines.learn(skeleton, kind, line.raw, value)
        return kind, row


def whole_row(line: RawLine) -> AttemptRow:
    """A line read as a row, with every check. Raises InputError where it is none."""
    return _whole(line)[0]


def _whole(line: RawLine) -> tuple[AttemptRow, dict[str, Any]]:
    """A row, and the object it was read from."""
    match read_line(line):
        case Line(value=value):
            row = from_json(AttemptRow, value)
        case BadLine(what=what):
            raise InputError(what)
        case Blank():
            raise InputError("a blank line")
        case Torn():
            raise InputError(TORN)
    if abs(row.key.repeat) >= FARTHEST or abs(row.key.attempt) >= FARTHEST:
        raise InputError("key.repeat or key.attempt is no number of a draw")
    return row, value
