"""One long JSON object as slices: each element of some of its top-level lists by itself, every other value as a whole.

Nothing longer than one slice is ever held. Slices are found by brackets, strings respected, whatever the chunks in which the
bytes come. Where elements begin alike the next beginning is searched for first, and a parser has the word whether the
bytes up to it are exactly one value: an object that is whole ends nowhere else. Who parses every element anyway can be that
parser, so that no byte is parsed twice.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator
from typing import BinaryIO, NamedTuple

from denominator.errors import InputError
from denominator.wire.sources.base import CHUNK, DOCUMENT_BYTES

SPACE = re.compile(rb"[ \t\r\n]*")
TOKEN = re.compile(rb'["{}\[\]]')
SCALAR = re.compile(rb"[^\s,\]}\[{\"]*")
NO_NUMBER = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|-?\bInfinity\b|\bNaN\b', re.DOTALL)
VALUE = rb'\s*(?:"(?:[^"\\]|\\.)*"|[^\s,"\[\]{}]+)\s*,\s*'
BEGIN = re.compile(rb'\{\s*"[^"\\]*"\s*:(?:' + VALUE + rb'("[^"\\]*")\s*:)?', re.DOTALL)
"""How an object begins: its first key, and where a scalar follows its second one."""
NOTHING = re.compile(b"")
HEAD = 256
BOM = b"\xef\xbb\xbf"
NO_BRACKET = bytes(one for one in range(256) if one not in b"{}[]")
SMALLEST, LARGEST = 1 << 9, 1 << 14
"""Bytes of the blocks in which brackets are counted before they are looked at one by one."""
GUESSES = 2
"""So many wrong guesses in a row say that the elements do not begin alike."""


class Piece(NamedTuple):
    """A value: the key that it stands under, its place in the list (-1: the value of the key itself), its bytes."""

    key: str
    place: int
    data: bytes


def slices(
    stream: BinaryIO,
    where: str,
    lists: Collection[str] = (),
    most: int = DOCUMENT_BYTES,
    chunk: int = CHUNK,
    parses: Callable[[bytes], bool] = lambda _: False,
) -> Iterator[Piece]:
    """The values of the object in a stream, in its order. InputError: no JSON object, cut, or a value of over `most` bytes.

    `lists` are keys whose lists come element by element; such a key with another kind of value comes as a whole. `parses` may
    answer true for bytes that are one JSON value; where it does, the very same object is the data of the next piece.
    """
    return _Slicer(stream, where, most, chunk, parses).pieces(frozenset(lists))


def without_nan(data: bytes) -> bytes:
    """The same JSON with null in the place of NaN and Infinity, which some writers use and no standard knows."""
    if b"NaN" not in data and b"Infinity" not in data:
        return data
    return NO_NUMBER.sub(lambda found: found[0] if found[0][:1] == b'"' else b"null", data)


class _Slicer:
    def __init__(self, stream: BinaryIO, where: str, most: int, chunk: int, parses: Callable[[bytes], bool]) -> None:
        self._stream, self._where, self._most, self._chunk, self._parses = stream, where, most, chunk, parses
        self._buffer, self._at, self._more = bytearray(), 0, True
        self._mark, self._second, self._wrong = b"", NOTHING, 0

    def pieces(self, lists: frozenset[str]) -> Iterator[Piece]:
        if self._peek() == BOM[:1] and self._starts_with(BOM):
            self._at += len(BOM)
        self._expect(b"{")
        if self._peek() == b"}":
            return
        while True:
            key = self._key()
            self._expect(b":")
            if key in lists and self._peek() == b"[":
                yield from self._elements(key)
            else:
                yield Piece(key, -1, self._taken(self._end()))
            if self._next_of(b"}"):
                return

    def _elements(self, key: str) -> Iterator[Piece]:
        self._expect(b"[")
        if self._peek() == b"]":
            self._at += 1
            return
        self._mark, self._second, self._wrong, index = b"", NOTHING, 0, 0
        while True:
            self._peek()
            begin = self._begin()
            yield Piece(key, index, self._guess() or self._taken(self._end()))
            index += 1
            if self._next_of(b"]"):
                return
            self._learn(begin)

    def _next_of(self, last: bytes) -> bool:
        """Past the comma, or past the end."""
        found = self._peek()
        self._at += 1
        if found not in (b",", last):
            raise self._bad("is no JSON")
        return found == last

    def _begin(self) -> bytes:
        """What an element begins with, up to the colon behind its second key where both are near."""
        self._fill_to(HEAD)
        found = BEGIN.match(self._buffer, self._at, self._at + HEAD)
        return found[0] if found else b""

    def _learn(self, begin: bytes) -> None:
        """The mark between two elements that begin alike: the end of one, what stands between, how the next one begins."""
        first = begin[: begin.find(b":") + 1]
        if self._mark or not begin:
            return
        comma = self._at - 1
        self._peek()
        between = bytes(self._buffer[comma : self._at])
        again = self._begin()
        if len(between) < HEAD and again.startswith(first):
            self._mark = b"}" + between + first
            if (key := _second(begin)) and key == _second(again):
                self._second = re.compile(VALUE + key)

    def _guess(self) -> bytes:
        """The element if the next one begins like it, or nothing. Whether it is one is for a parser to say."""
        looked = self._at
        while self._mark and self._wrong < GUESSES:
            found = self._buffer.find(self._mark, looked)
            if found < 0:
                looked = max(self._at, len(self._buffer) - len(self._mark))
                if len(self._buffer) - self._at > self._most or not self._fill():
                    return b""
                continue
            looked = found + len(self._mark)
            if len(self._buffer) < looked + HEAD and self._fill():
                looked = found
                continue
            if not _matches(self._second, self._buffer, looked):
                continue
            data = bytes(memoryview(self._buffer)[self._at : found + 1])
            if len(data) <= self._most and (self._parses(data) or is_whole(data)):
                self._wrong = 0
                self._taken_to(found + 1)
                return data
            self._wrong += 1
            return b""
        return b""

    def _end(self) -> int:
        """Where the value that begins here ends."""
        first = self._peek()
        if first == b'"':
            return self._string_end(self._at)
        if first in (b"{", b"["):
            return self._bracket_end()
        if first in (b"]", b"}", b",", b":"):
            raise self._bad("is no JSON")
        while (end := _after(SCALAR, self._buffer, self._at)) == len(self._buffer) and self._fill():
            pass
        return end

    def _bracket_end(self) -> int:
        """Where the list or object that begins here ends: in growing blocks as long as it cannot end in them, then by tokens."""
        depth, place, size = 0, self._at, SMALLEST
        while True:
            if size and depth:
                block = bytes(memoryview(self._buffer)[place : place + size])
                used, closed, opened = _brackets(block)
                if closed < depth:
                    depth += opened - closed
                    place, size = place + used, min(size * 2, LARGEST)
                    if used:
                        continue
                else:
                    size = size // 4 if size > SMALLEST else 0
                    continue
            found = TOKEN.search(self._buffer, place)
            if found is None:
                place = len(self._buffer)
                self._grow()
                continue
            place = found.end()
            what = self._buffer[place - 1]
            del found
            if what == 0x22:
                place = self._string_end(place - 1)
            elif what in b"{[":
                depth += 1
            else:
                depth -= 1
                if depth == 0:
                    return place

    def _string_end(self, start: int) -> int:
        """Past the quote that closes the string: one before which there is an even number of backslashes."""
        place = start + 1
        while True:
            quote = self._buffer.find(b'"', place)
            if quote < 0:
                place = len(self._buffer)
                self._grow()
                continue
            first = quote
            while self._buffer[first - 1] == 0x5C and first - 1 > start:
                first -= 1
            if (quote - first) % 2 == 0:
                return quote + 1
            place = quote + 1

    def _key(self) -> str:
        if self._peek() != b'"':
            raise self._bad("is no JSON")
        try:
            return str(json.loads(self._taken(self._string_end(self._at))))
        except ValueError:
            raise self._bad("is no JSON") from None

    def _expect(self, what: bytes) -> None:
        if self._peek() != what:
            raise self._bad("is no JSON object")
        self._at += 1

    def _peek(self) -> bytes:
        """The next byte that is no space. InputError: there is none."""
        while (place := _after(SPACE, self._buffer, self._at)) == len(self._buffer):
            self._at = place
            if not self._fill():
                raise self._bad("breaks off")
        self._at = place
        return bytes(self._buffer[place : place + 1])

    def _starts_with(self, what: bytes) -> bool:
        self._fill_to(len(what))
        return bytes(self._buffer[self._at : self._at + len(what)]) == what

    def _fill_to(self, many: int) -> None:
        while len(self._buffer) - self._at < many and self._fill():
            pass

    def _grow(self) -> None:
        """More bytes of a value that has not ended yet."""
        if len(self._buffer) - self._at > self._most:
            fix = "no log has such values: look where the file comes from"
            raise InputError(f"holds a value of more than {self._most} bytes", where=self._where, fix=fix)
        if not self._fill():
            raise self._bad("breaks off")

    def _fill(self) -> bool:
        if self._more:
            data = self._stream.read(self._chunk)
            self._more = bool(data)
            self._buffer += data
        return self._more

    def _taken(self, end: int) -> bytes:
        """The bytes up to a place; what lies before it is let go."""
        data = bytes(memoryview(self._buffer)[self._at : end])
        if len(data) > self._most:
            raise InputError(f"holds a value of more than {self._most} bytes", where=self._where)
        self._taken_to(end)
        return data

    def _taken_to(self, end: int) -> None:
        del self._buffer[:end]
        self._at = 0

    def _bad(self, what: str) -> InputError:
        return InputError(what, where=self._where, fix="the copy may be cut: get it again")


def _second(begin: bytes) -> bytes:
    """The second key with its quotes, as a pattern."""
    found = BEGIN.match(begin)
    return re.escape(found[1]) if found and found[1] else b""


def _matches(pattern: re.Pattern[bytes], buffer: bytearray, place: int) -> bool:
    """Does it match here? The match is let go at once, for a buffer in use cannot grow."""
    return pattern.match(buffer, place) is not None


def _after(pattern: re.Pattern[bytes], buffer: bytearray, place: int) -> int:
    """Where a match that may be empty ends; the match is let go at once, for a buffer in use cannot grow."""
    found = pattern.match(buffer, place)
    return found.end() if found else place


def _brackets(block: bytes) -> tuple[int, int, int]:
    """How much of a block that begins outside of strings was looked at, and which brackets are left: closing, then opening."""
    parts = block.replace(b"\\\\", b"__").replace(b'\\"', b"__").split(b'"')
    used = len(block)
    if len(parts) % 2 == 0:
        used -= len(parts.pop()) + 1
    left = b"".join(parts[::2]).translate(None, NO_BRACKET)
    before = b""
    while left != before:
        before, left = left, left.replace(b"{}", b"").replace(b"[]", b"")
    closed = len(left) - len(left.lstrip(b"}]"))
    return used, closed, len(left) - closed


def is_whole(data: bytes) -> bool:
    """Is it exactly one JSON value, but for NaN and Infinity?"""
    return _decodes(data) or ((plain := without_nan(data)) is not data and _decodes(plain))


def _decodes(data: bytes) -> bool:
    import msgspec

    try:
        msgspec.json.decode(data, type=msgspec.Raw)
    except (msgspec.MsgspecError, RecursionError):
        return False
    return True
