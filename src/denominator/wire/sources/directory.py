"""The directory of a zip file, read strictly: what two readers could take for two different archives is refused.

An archive ends with its one end record, nothing stands before its first byte or between directory and end record, and no
two entries share bytes. Sizes and counts are claims: memory grows with the bytes that are there.
"""

from __future__ import annotations

import os
import re
import stat
import struct
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from denominator.errors import InputError
from denominator.wire.sources.base import MEMBER_BYTES
from denominator.wire.sources.limits import Pull, Pulled, too_good

MEMBERS_MAX = 500_000
DIRECTORY_BYTES = 256 << 20
UNPACKED_MAX = 64 << 30
END = struct.Struct("<4s4H2LH")
END64_PLACE = struct.Struct("<4sLQL")
END64 = struct.Struct("<4sQ2H2L4Q")
ENTRY = struct.Struct("<4s6H3L5H2L")
LOCAL = struct.Struct("<4s5H3L2H")
TAIL = END.size + 0xFFFF
FULL16, FULL32 = 0xFFFF, 0xFFFFFFFF
LOCKED = 0x1 | 0x40 | 0x2000
"""Flags of a member, or of a directory, that a password keeps."""
UTF8 = 0x800
OUT = re.compile(r"\A([/\\]|[A-Za-z]:|\Z)|(\A|[/\\])\.\.([/\\]|\Z)|\0")
"""An absolute name, a drive, a part that goes up, an end that is none."""


class Entry(NamedTuple):
    """One member: where its header begins, how many bytes are packed and unpacked, and what the directory says of it."""

    raw: bytes
    offset: int
    packed: int
    size: int
    crc: int
    method: int


class Bytes:
    """Positioned reads of one open file, which may be shared by threads."""

    def __init__(self, handle: int, name: str) -> None:
        self._handle, self.name, self.size = handle, name, os.fstat(handle).st_size

    def at(self, offset: int, count: int) -> bytes:
        """So many bytes. InputError: the file ends before."""
        data = self.some(offset, count)
        while len(data) < count:
            more = self.some(offset + len(data), count - len(data))
            if not more:
                raise self.broken("it breaks off")
            data += more
        return data

    def some(self, offset: int, most: int) -> bytes:
        """The next bytes, as many as come at once; none at the end."""
        try:
            return os.pread(self._handle, most, offset)
        except (OSError, OverflowError) as error:
            raise self.broken(str(error)) from None

    def broken(self, why: str) -> InputError:
        """The file as a whole cannot be used."""
        fix = "the copy is not complete, or no usual program wrote it: get it again"
        return InputError(f"is no whole zip file: {why}", where=self.name, fix=fix)


class _Ending(NamedTuple):
    entries: int
    size: int
    offset: int
    at: int
    """Where the directory must end."""


class Directory(NamedTuple):
    """Members by name, without folders. `twice`: entries that a later one of the same name replaced. `starts`: of all headers."""

    entries: dict[str, Entry]
    twice: int
    starts: array[int]

    def limit(self, entry: Entry) -> int:
        """Where the next header begins, or the directory: no byte of a member stands behind it."""
        return self.starts[bisect_right(self.starts, entry.offset)]


def read_directory(file: Bytes) -> Directory:
    """The directory of an archive. InputError where it is not whole, or holds what no log needs."""
    ending = _ending(file)
    if ending.entries > MEMBERS_MAX or ending.size > DIRECTORY_BYTES:
        raise InputError(f"holds more than {MEMBERS_MAX} members", where=file.name)
    if ending.offset + ending.size != ending.at:
        raise file.broken("its directory is not where it says")
    found: dict[str, Entry] = {}
    spans, twice, unpacked = [], 0, 0
    for name, entry in _entries(file, ending):
        spans.append((entry.offset, entry.offset + LOCAL.size + len(entry.raw) + entry.packed))
        twice += name in found
        unpacked += entry.size
        found[name] = entry
    if unpacked > UNPACKED_MAX:
        raise InputError(f"says that it unpacks to {unpacked} bytes", where=file.name, fix="name one run of it")
    _refuse_shared(spans, ending.offset, file)
    members = {name: found[name] for name in sorted(found) if not name.endswith("/")}
    return Directory(members, twice, array("Q", (*(start for start, _ in spans), ending.offset)))


def _ending(file: Bytes) -> _Ending:
    """The one end record whose comment ends with the file."""
    start = max(0, file.size - TAIL)
    tail = file.at(start, file.size - start)
    places = [one.start() for one in re.finditer(b"PK\x05\x06", tail)]
    fits = [at for at in places if at + END.size <= len(tail) and at + END.size + _comment(tail, at) == len(tail)]
    if len(fits) != 1:
        raise file.broken("it has no end" if not fits else "it has two ends, one in the comment of the other")
    _, disk, first, here, entries, size, offset, _ = END.unpack_from(tail, fits[0])
    at = start + fits[0]
    if FULL16 in (here, entries) or FULL32 in (size, offset):
        return _ending64(file, at)
    if disk or first or here != entries:
        raise file.broken("it is one of several parts")
    return _Ending(entries, size, offset, at)


def _comment(tail: bytes, at: int) -> int:
    return int.from_bytes(tail[at + END.size - 2 : at + END.size], "little")


def _ending64(file: Bytes, end: int) -> _Ending:
    """The larger end record of a large archive; a small one may show the same numbers and have none."""
    at = end - END64_PLACE.size
    data = file.at(at, END64_PLACE.size) if at >= 0 else b""
    if data[:4] != b"PK\x06\x07":
        _, disk, first, here, entries, size, offset, _ = END.unpack(file.at(end, END.size))
        if disk or first or here != entries or FULL32 in (size, offset):
            raise file.broken("the end record of a large archive is missing")
        return _Ending(entries, size, offset, end)
    _, _, place, parts = END64_PLACE.unpack(data)
    if place + END64.size > at or parts > 1:
        raise file.broken("its end record is not where it says")
    mark, length, _, _, disk, first, here, entries, size, offset = END64.unpack(file.at(place, END64.size))
    if mark != b"PK\x06\x06" or place + 12 + length != at or disk or first or here != entries:
        raise file.broken("its end record cannot be read")
    return _Ending(entries, size, offset, place)


def span(file: Bytes, start: int, end: int) -> Pull:
    """The bytes between two places, piece by piece; the file must hold them all."""
    at = start

    def pull(most: int, /) -> bytes:
        nonlocal at
        data = file.some(at, min(most, end - at)) if at < end else b""
        if not data and at < end:
            raise file.broken("it breaks off")
        at += len(data)
        return data

    return pull


def _entries(file: Bytes, ending: _Ending) -> Iterator[tuple[str, Entry]]:
    """Every entry of the directory, which must hold as many as it says and end where it says."""
    stream, count = Pulled(span(file, ending.offset, ending.at), file.name, DIRECTORY_BYTES), 0
    while head := stream.read(ENTRY.size):
        count += 1
        if len(head) < ENTRY.size or head[:4] != b"PK\x01\x02" or count > ending.entries:
            raise file.broken("its directory cannot be read")
        fields = ENTRY.unpack(head)
        lengths = fields[10:13]
        rest = stream.read(sum(lengths))
        if len(rest) < sum(lengths):
            raise file.broken("its directory breaks off")
        yield _entry(fields, rest, file)
    if count != ending.entries:
        raise file.broken(f"its directory holds {count} entries and says {ending.entries}")


def _entry(fields: tuple[int, ...], rest: bytes, file: Bytes) -> tuple[str, Entry]:
    """One entry: its name as text, and what of it is needed; whatever no log needs is refused."""
    _, _, _, flags, method, _, _, crc, packed, size, long, longer, _, disk, _, mode, offset = fields
    raw = rest[:long]
    name = _text(raw, flags)
    where = f"{file.name}/{name[:200]}"
    if FULL32 in (packed, size, offset):
        size, packed, offset = _large(rest[long : long + longer], size, packed, offset, where)
    if OUT.search(raw.decode("latin-1")):
        raise InputError("is a name that leads out of the archive", where=where)
    if stat.S_IFMT(mode >> 16) not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise InputError("is a link or a device, and no member may be one", where=where)
    if flags & LOCKED:
        raise InputError("is locked with a password", where=where)
    if disk:
        raise InputError("stands in another part of the archive", where=where)
    if size > MEMBER_BYTES or too_good(packed, size):
        fix = "no log packs so well: look where the file comes from"
        raise InputError(f"says that {packed} bytes unpack to {size}", where=where, fix=fix)
    return name, Entry(raw, offset, packed, size, crc, method)


def _text(raw: bytes, flags: int) -> str:
    """A name as text: UTF-8 where it says so or is it, else the old code page."""
    if flags & UTF8:
        return raw.decode("utf-8", "backslashreplace")
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("cp437")


def _large(extra: bytes, size: int, packed: int, offset: int, where: str) -> tuple[int, int, int]:
    """Sizes that stand in the extra field of a large archive."""
    while len(extra) >= 4:
        kind, length = struct.unpack_from("<2H", extra)
        if kind == 1:
            numbers = [int.from_bytes(extra[at : at + 8], "little") for at in range(4, min(length, 24) + 4 - 7, 8)]
            wanted = [number == FULL32 for number in (size, packed, offset)]
            if len(numbers) >= sum(wanted):
                given = iter(numbers)
                size, packed, offset = (
                    next(given) if want else number for want, number in zip(wanted, (size, packed, offset), strict=True)
                )
                return size, packed, offset
        extra = extra[4 + length :]
    raise InputError("has no size", where=where, fix="get the file again")


def _refuse_shared(spans: list[tuple[int, int]], end: int, file: Bytes) -> None:
    """No byte belongs to two members: that is how a small file unpacks to a huge one."""
    spans.sort()
    for (_, before), (start, _) in pairwise((*spans, (end, end))):
        if before > start:
            raise file.broken("two members share bytes")
