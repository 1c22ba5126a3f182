"""Zip files by hand: every field can say what it likes."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(kw_only=True)
class Made:
    """An entry. What is not given is what an honest writer would say."""

    name: bytes
    data: bytes = b"{}"
    method: int = 8
    packed: bytes | None = None
    flags: int = 0
    mode: int = 0
    size: int | None = None
    crc: int | None = None
    packed_size: int | None = None
    local_name: bytes | None = None
    local_extra: bytes = b""
    extra: bytes = b""
    offset: int | None = None
    disk: int = 0
    gap: bytes = b""
    local_flags: int | None = None
    body: bytes = field(init=False)

    def __post_init__(self) -> None:
        if self.packed is not None:
            self.body = self.packed
        elif self.method == 8:
            inner = zlib.compressobj(9, zlib.DEFLATED, -15)
            self.body = inner.compress(self.data) + inner.flush()
        elif self.method == 93:
            from backports import zstd

            self.body = zstd.compress(self.data)
        else:
            self.body = self.data

    def numbers(self) -> tuple[int, int, int]:
        crc = zlib.crc32(self.data) if self.crc is None else self.crc
        packed = len(self.body) if self.packed_size is None else self.packed_size
        return crc, packed, len(self.data) if self.size is None else self.size


def local(one: Made) -> bytes:
    name = one.name if one.local_name is None else one.local_name
    flags = one.flags if one.local_flags is None else one.local_flags
    crc, packed, size = one.numbers()
    head = struct.pack(
        "<4s5H3L2H", b"PK\x03\x04", 20, flags, one.method, 0, 0, crc, packed, size, len(name), len(one.local_extra)
    )
    return head + name + one.local_extra + one.body


def central(one: Made, offset: int) -> bytes:
    where = offset if one.offset is None else one.offset
    numbers = (*one.numbers(), len(one.name), len(one.extra), 0, one.disk, 0, one.mode << 16, where)
    return (
        struct.pack("<4s6H3L5H2L", b"PK\x01\x02", 20, 20, one.flags, one.method, 0, 0, *numbers) + one.name + one.extra
    )


def end(count: int, size: int, offset: int, comment: bytes = b"") -> bytes:
    return struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, count, count, size, offset, len(comment)) + comment


def zip_of(entries: Sequence[Made], *, comment: bytes = b"", count: int | None = None, before: bytes = b"") -> bytes:
    """An archive of these entries in this order."""
    body, rows = before, b""
    for one in entries:
        body += one.gap
        rows += central(one, len(body))
        body += local(one)
    return body + rows + end(len(entries) if count is None else count, len(rows), len(body), comment)


def zip64_of(entries: Sequence[Made]) -> bytes:
    """The same with the end record of a large archive."""
    body, rows = b"", b""
    for one in entries:
        rows += central(one, len(body))
        body += local(one)
    place = len(body) + len(rows)
    many = len(entries)
    large = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, many, many, len(rows), len(body))
    where = struct.pack("<4sLQL", b"PK\x06\x07", 0, place, 1)
    return body + rows + large + where + end(0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF)
