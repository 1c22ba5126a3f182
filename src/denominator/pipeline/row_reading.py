"""Rows of a ledger file by kind: a line whose skeleton was seen before is told by its bytes, any other is read as a row."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from denominator.errors import InputError
from denominator.pipeline.row_kinds import kind_of, named_tasks, numbers_of
from denominator.pipeline.row_lines import LineKinds
from denominator.records.draws import ELSEWHERE
from denominator.records.rows import AttemptRow
from denominator.records.seals import Terms
from denominator.wire.canonical import canonical
from denominator.wire.codec import from_json
from denominator.wire.jsonl import BadLine, Blank, Line, RawLine, Torn, read_line

FARTHEST = 2**31
NOT_CUT = b"%d" % ELSEWHERE
"""A number that is not plain stands in the kind."""
TORN = "the line breaks off"


class RowRead(NamedTuple):
    """One line: the number of its kind, its place, and the numbers that stand beside the kind."""

    kind: int
    task: str
    repeat: int
    numbers: Sequence[int]


class RowReader:
    """Reads lines as rows and numbers their kinds; `kinds` holds one row for each."""

    def __init__(self, terms: Terms) -> None:
        self._named, self._loop_n = named_tasks(terms), terms.tool_loop_n
        self._lines = LineKinds(self._named, self._loop_n)
        self._numbers: dict[bytes, int] = {}
        self.kinds: list[AttemptRow] = []

    def read(self, line: RawLine) -> RowRead:
        """One line. Raises InputError where it is no row."""
        told = self._lines.tell(line.raw)
        if told is not None:
            skeleton, task, repeat, numbers = told
            kind = self._lines.kind(skeleton)
            if kind is not None:
                return RowRead(kind, task, repeat, [int(one or NOT_CUT) for one in numbers])
        row, value = _whole(line)
        kind = self._number(kind_of(row, self._named, self._loop_n))
        if told is not None:
            self._lines.learn(told[0], kind, line.raw, value)
        return RowRead(kind, row.key.task_id, row.key.repeat, numbers_of(row))

    def _number(self, row: AttemptRow) -> int:
        digest = sha256(canonical(row)).digest()
        number = self._numbers.setdefault(digest, len(self.kinds))
        if number == len(self.kinds):
            self.kinds.append(row)
        return number


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
