"""JSON Lines, strictly: every physical line is a row, a bad line, a blank line, or the torn end. None is skipped.

Numbers with a fraction are exact `Decimal` values here, because foreign rows hold them; our own records refuse them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, NamedTuple

from denominator.wire.paths import dotted
from denominator.wire.strict import Refusal, place, read
from denominator.wire.texts import described

LINE_BYTES_MAX = 64 * 2**20
"""A longer line is a bad line; it is read past without being held in memory."""
BLOCK_BYTES = 2**18


@dataclass(frozen=True, slots=True)
class Line:
    """One row: physical line (from 1), offset in bytes, the object, the sha256 of the line without its newline."""

    number: int
    offset: int
    value: dict[str, Any]
    sha256: str


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is no row. `offset` is of the line in bytes, `column` in it (from 1), `key` "" when unknown."""

    number: int
    offset: int
    key: str
    what: str
    column: int = 1
    fix: str = ""


@dataclass(frozen=True, slots=True)
class Torn:
    """A last line without a newline that breaks off inside its object: the bytes of a write that was cut."""

    number: int
    offset: int
    length: int
    raw: bytes


@dataclass(frozen=True, slots=True)
class Blank:
    """A line of nothing but spaces."""

    number: int
    offset: int


@dataclass(frozen=True, slots=True)
class Lines:
    """A whole file. `blank` are line numbers."""

    where: str
    rows: tuple[Line, ...]
    bad: tuple[BadLine, ...]
    blank: tuple[int, ...]
    torn: Torn | None


Item = Line | BadLine | Torn | Blank


def read_jsonl(data: bytes, where: str) -> Lines:
    """Reads a file held in memory."""
    items = [_item(number, offset, raw, ended) for number, offset, raw, ended in _split(data)]
    return Lines(
        where,
        tuple(item for item in items if isinstance(item, Line)),
        tuple(item for item in items if isinstance(item, BadLine)),
        tuple(item.number for item in items if isinstance(item, Blank)),
        next((item for item in items if isinstance(item, Torn)), None),
    )


def iter_jsonl(file: BinaryIO) -> Iterator[Item]:
    """Reads a file line by line, for files that do not fit in memory."""
    for raw in raw_lines(file):
        yield read_line(raw)


class RawLine(NamedTuple):
    """A physical line that nobody has read yet, without its newline; `ended`: it had one. One that is too long is empty."""

    number: int
    offset: int
    raw: bytes
    ended: bool
    too_long: bool = False


class RawBlock(NamedTuple):
    """Whole lines of a file as they follow each other: number and offset of the first, their bytes, each without its newline."""

    number: int
    offset: int
    text: bytes
    lines: list[bytes]

    def line(self, at: int, offset: int) -> RawLine:
        """One of them, of which the offset is known."""
        return _raw(self.number + at, offset, self.lines[at])


def raw_blocks(file: BinaryIO, offset: int = 0) -> Iterator[RawBlock | RawLine]:
    """The physical lines of a file, many at a time; alone come lines that are too long, and a last one without a newline.

    `offset` is the place of the first one in bytes, where what is read is a part of a file.
    """
    number = 0
    begun: list[bytes] = []
    length = 0
    while block := file.read(BLOCK_BYTES):
        end = block.rfind(b"\n") + 1
        if end:
            text = b"".join((*begun, block[:end]))
            lines = text.split(b"\n")
            lines.pop()
            yield RawBlock(number + 1, offset, text, lines)
            number, offset = number + len(lines), offset + len(text)
            begun, length = [], 0
        begun.append(block[end:])
        length += len(block) - end
        if length > LINE_BYTES_MAX:
            number += 1
            yield RawLine(number, offset, b"", ended=True, too_long=True)
            offset += length + _skip(file)
            begun, length = [], 0
    if length:
        yield RawLine(number + 1, offset, b"".join(begun), ended=False)


def raw_lines(file: BinaryIO) -> Iterator[RawLine]:
    """The physical lines of a file, as they are."""
    for block in raw_blocks(file):
        if isinstance(block, RawLine):
            yield block
            continue
        offset = block.offset
        for at, raw in enumerate(block.lines):
            yield block.line(at, offset)
            offset += len(raw) + 1


def _raw(number: int, offset: int, raw: bytes) -> RawLine:
    if len(raw) > LINE_BYTES_MAX:
        return RawLine(number, offset, b"", ended=True, too_long=True)
    return RawLine(number, offset, raw, True)


def read_line(line: RawLine) -> Item:
    """What a physical line is: a row, a bad line, a blank one, or the torn end."""
    if line.too_long:
        return _too_long(line.number, line.offset)
    return _item(line.number, line.offset, line.raw, line.ended)


def _skip(file: BinaryIO) -> int:
    """Reads to the end of the line; the number of bytes passed."""
    passed, raw = 0, b" "
    while raw and not raw.endswith(b"\n"):
        raw = file.readline(2**20)
        passed += len(raw)
    return passed


def _split(data: bytes) -> Iterator[tuple[int, int, bytes, bool]]:
    """Physical lines as (number, offset, bytes, ended by a newline)."""
    number, at = 0, 0
    while at < len(data):
        end = data.find(b"\n", at)
        stop = len(data) if end < 0 else end
        number += 1
        yield number, at, data[at:stop], end >= 0
        at = stop + 1


def _too_long(number: int, offset: int) -> BadLine:
    return BadLine(number, offset, "", f"longer than {LINE_BYTES_MAX} bytes")


def _item(number: int, offset: int, raw: bytes, ended: bool) -> Item:
    if len(raw) > LINE_BYTES_MAX:
        return _too_long(number, offset)
    value, refusal = read(raw, "decimal")
    if refusal is None and value.__class__ is dict:
        return Line(number, offset, value, hashlib.sha256(raw).hexdigest())
    if refusal is None:
        return BadLine(number, offset, "", f"expected an object, got {described(value)}")
    if not raw.strip():
        return Blank(number, offset)
    if refusal.cut and not ended:
        return Torn(number, offset, len(raw), raw)
    return _bad(number, offset, refusal)


def _bad(number: int, offset: int, refusal: Refusal) -> BadLine:
    first = refusal.faults[0]
    more = len(refusal.faults) - 1
    what = first.what + (f" (and {more} more)" if more else "")
    _, column = place(refusal.text, first.offset)
    return BadLine(number, offset, dotted(first.path), what, column, first.fix)
