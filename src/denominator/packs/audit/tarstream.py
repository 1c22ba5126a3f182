"""Reads a tar as a stream, one member after the other: names and links are words here, and nothing is written anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

BLOCK = 512
NAME_BYTES_MAX = 64 << 10
STEP = 1 << 20
FILES = (b"0", b"\0", b"7", b"S")


class TarError(Exception):
    """These bytes are no tar, or end too early; says where."""


class Source(Protocol):
    """Anything that gives its next bytes."""

    def read(self, size: int = -1, /) -> bytes:
        """At most `size` bytes; none at the end."""
        ...


class Body:
    """The bytes of one member. Raises `TarError` when the stream ends before the member does."""

    def __init__(self, source: Source, size: int) -> None:
        self._source, self.left = source, size

    def read(self, size: int = -1, /) -> bytes:
        """At most `size` bytes of the member."""
        wanted = self.left if size < 0 else min(size, self.left)
        got = self._source.read(min(wanted, STEP)) if wanted else b""
        if wanted and not got:
            raise TarError(f"it ends {self.left} bytes before its last member does")
        self.left -= len(got)
        return got

    def skip(self) -> None:
        """Read to the end and keep nothing."""
        while self.left:
            self.read(STEP)


@dataclass(frozen=True, slots=True)
class Member:
    """One entry: its name as written (never a path to open), whether it holds bytes, how many, and these."""

    name: str
    is_file: bool
    size: int
    body: Body


def members(source: Source) -> Iterator[Member]:
    """Every entry in order; the body of one is gone when the next is asked for. Raises `TarError`."""
    told: dict[bytes, bytes] = {}
    while True:
        header = _exactly(source, BLOCK)
        if not header.strip(b"\0"):
            return
        if not is_header(header):
            raise TarError("a header's checksum is wrong")
        kind = header[156:157]
        ahead = kind != b"\0" and kind in b"xgLK"
        size = _number(header[124:136] if ahead else told.get(b"size", header[124:136]), 10 if b"size" in told else 8)
        body = Body(source, size)
        if ahead:
            told |= _told(kind, _words(body))
        else:
            name = _text(told[b"path"]) if b"path" in told else _name(header)
            more = kind == b"S" and header[482:483] == b"\1"
            while more:
                more = _exactly(source, BLOCK)[504:505] == b"\1"
            is_file, told = kind in FILES, {}
            yield Member(name, is_file, size if is_file else 0, body)
        body.skip()
        _exactly(source, -size % BLOCK)


def _exactly(source: Source, size: int) -> bytes:
    """`size` bytes, or fewer only where nothing at all is left: a tar without its closing blocks is read."""
    got = bytearray()
    while len(got) < size:
        more = source.read(size - len(got))
        if not more:
            if got:
                raise TarError("it ends in the middle of a block")
            return b""
        got += more
    return bytes(got)


def _words(body: Body) -> bytes:
    got = bytearray()
    while body.left and len(got) < NAME_BYTES_MAX:
        got += body.read(NAME_BYTES_MAX - len(got))
    return bytes(got)


def _told(kind: bytes, words: bytes) -> dict[bytes, bytes]:
    """What an entry says of the next one: its path, its size in decimal digits."""
    if kind == b"L":
        return {b"path": words}
    found: dict[bytes, bytes] = {}
    while kind == b"x" and words:
        digits = words.partition(b" ")[0]
        length = int(digits) if digits.isdigit() and len(digits) < 9 else 0
        key, mark, value = words[len(digits) + 1 : length - 1].partition(b"=")
        if not mark:
            break
        if key in (b"path", b"size"):
            found[key] = value
        words = words[length:]
    return found


def _name(header: bytes) -> str:
    name, prefix = _text(header[:100]), _text(header[345:500]) if header[257:263] == b"ustar\0" else ""
    return f"{prefix}/{name}" if prefix else name


def _text(data: bytes) -> str:
    return data.partition(b"\0")[0].decode("utf-8", "backslashreplace")


def _number(field: bytes, base: int) -> int:
    """Digits, or a number in base 256 with its first bit set."""
    if field[:1] == b"\x80":
        return int.from_bytes(field[1:], "big")
    digits = field.strip(b" \0")
    try:
        number = int(digits, base) if digits else 0
    except ValueError:
        raise TarError("a size is no number") from None
    if number < 0:
        raise TarError("a size is less than nothing")
    return number


def is_header(header: bytes) -> bool:
    """Is this block the head of a member, by its checksum?"""
    field = header[148:156].strip(b" \0")
    try:
        told = int(field, 8)
    except ValueError:
        return False
    return told == sum(header[:148]) + 32 * 8 + sum(header[156:])
