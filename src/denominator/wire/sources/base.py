"""What an importer reads from: members with names, sizes and bytes, and nothing outside of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import BinaryIO, NamedTuple, Protocol

from denominator.errors import InputError

DOCUMENT_BYTES = 64 << 20
"""No document that is read whole is longer."""
MEMBER_BYTES = 8 << 30
"""No member that is read as a stream is longer, whatever an archive says of it."""
LINE_BYTES = 64 << 20
CHUNK = 1 << 20


class Source(Protocol):
    """Members of a folder, of a zip file, or one file. Names are relative, with slashes, sorted; links and devices are none."""

    @property
    def name(self) -> str:
        """The last part of the path that was named, for messages."""
        ...

    def names(self) -> Sequence[str]:
        """Every member. A single file is one member with its own name."""
        ...

    def size(self, name: str) -> int:
        """Bytes of a member, as far as its container says. InputError: no such member."""
        ...

    def open(self, name: str) -> AbstractContextManager[BinaryIO]:
        """The bytes of a member as a stream; past `MEMBER_BYTES` reading raises InputError. InputError: no such member."""
        ...

    def read(self, name: str, most: int = DOCUMENT_BYTES) -> bytes:
        """A member as a whole. InputError: missing, damaged, or more than `most` bytes."""
        ...


class RawLine(NamedTuple):
    """A physical line: its number from 1, and its bytes without the line end. `whole` is false where the last line has none."""

    number: int
    data: bytes
    whole: bool


def lines_of(source: Source, name: str, most: int = 0) -> Iterator[RawLine]:
    """The physical lines of a member, one at a time. InputError: a line of more than `most` bytes, or of 64 MB."""
    limit = most or LINE_BYTES
    with source.open(name) as stream:
        number = 0
        while data := stream.readline(limit + 1):
            number += 1
            if len(data) > limit:
                fix = "it is no file of lines: name another format"
                raise InputError(f"holds a line of more than {limit} bytes", where=f"{name}:{number}", fix=fix)
            whole = data.endswith(b"\n")
            yield RawLine(number, data.removesuffix(b"\n").removesuffix(b"\r"), whole)


def digest_of(source: Source, name: str) -> str:
    """sha256 of a member's bytes, in hexadecimal. What was digested when it was read is not read again."""
    known: dict[str, str] = getattr(source, "digests", {})
    if name in known:
        return known[name]
    found = hashlib.sha256()
    with source.open(name) as stream:
        while chunk := stream.read(CHUNK):
            found.update(chunk)
    return found.hexdigest()
