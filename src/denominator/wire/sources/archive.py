"""A zip file as members, read in place and never unpacked: no path is made of its names, no size in it is believed."""

from __future__ import annotations

import os
import weakref
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from denominator.errors import InputError
from denominator.wire.sources.base import DOCUMENT_BYTES, MEMBER_BYTES
from denominator.wire.sources.directory import LOCAL, LOCKED, Bytes, Entry, read_directory, span
from denominator.wire.sources.folder import plain_file, shown
from denominator.wire.sources.limits import Pull, Pulled, refuse_longer, whole
from denominator.wire.sources.unpack import RAW, Codec, Inflate, Unpacked, Zstd

STORED = 0
CODECS: dict[int, Callable[[], Codec]] = {8: lambda: Inflate(RAW), 93: Zstd}


class Archive:
    """The plain members of a zip file. Of a name that occurs twice the last entry counts, as writers of such logs mean it.

    `twice` is how many entries another one of the same name has replaced. `handle` is the file where it is open already.
    `descriptor` is of the open file. `digests`: sha256 of the members that were read as wholes and digested, which need not
    be read again, for the file stays open.
    """

    def __init__(self, path: Path, handle: int | None = None) -> None:
        self.name = shown(path.name)
        handle = plain_file(str(path), self.name) if handle is None else handle
        weakref.finalize(self, os.close, handle)
        self._state = _state(handle)
        self._file = Bytes(handle, self.name)
        self._directory = read_directory(self._file)
        self.twice = self._directory.twice
        self.digests: dict[str, str] = {}
        self.descriptor = handle

    @property
    def changed(self) -> bool:
        """Was the file written to since it was opened?"""
        return _state(self.descriptor) != self._state

    def names(self) -> Sequence[str]:
        """Every member."""
        return tuple(self._directory.entries)

    def size(self, name: str) -> int:
        """Bytes of a member as the archive says; what it really holds is counted while it is read."""
        return self._entry(name).size

    @contextmanager
    def open(self, name: str) -> Iterator[BinaryIO]:
        """The bytes of a member as a stream."""
        with self._stream(name) as stream:
            yield stream

    def read(self, name: str, most: int = DOCUMENT_BYTES) -> bytes:
        """A member as a whole."""
        data = self.unchecked(name, most)
        self.check(name, zlib.crc32(data))
        return data

    def unchecked(self, name: str, most: int) -> bytes:
        """A member as a whole and of the size that the directory states; whether its checksum fits is for `check` to say."""
        entry, where = self._entry(name), f"{self.name}/{name}"
        refuse_longer(entry.size, where, most)
        return whole(_Sized(self._unpacked(entry, where), entry, where), where, most)

    def check(self, name: str, crc: int) -> None:
        """InputError: the bytes of a member have another checksum than the directory states."""
        _refuse_other(crc, self._entry(name), f"{self.name}/{name}")

    def _stream(self, name: str) -> Pulled:
        entry, where = self._entry(name), f"{self.name}/{name}"
        return Pulled(_Summed(_Sized(self._unpacked(entry, where), entry, where), entry, where), where, MEMBER_BYTES)

    def _unpacked(self, entry: Entry, where: str) -> Pull:
        start = _start(self._file, entry, where)
        if start + entry.packed > self._directory.limit(entry):
            raise InputError("shares bytes with another member", where=where, fix="look where the file comes from")
        packed = span(self._file, start, start + entry.packed)
        if entry.method == STORED:
            return packed
        if entry.method not in CODECS:
            fix = "pack it again with deflate or zstd"
            raise InputError(f"is packed by method {entry.method}, which is not read here", where=where, fix=fix)
        return Unpacked(packed, CODECS[entry.method], where)

    def _entry(self, name: str) -> Entry:
        if name not in self._directory.entries:
            raise InputError("there is no such member", where=f"{self.name}/{name}")
        return self._directory.entries[name]


def _state(handle: int) -> tuple[int, int]:
    """The size of an open file, and when it was changed, in nanoseconds."""
    found = os.fstat(handle)
    return found.st_size, found.st_ctime_ns


class _Sized:
    """The bytes of a member, held against the size that the directory states."""

    def __init__(self, inner: Pull, entry: Entry, where: str) -> None:
        self._inner, self._entry, self._where = inner, entry, where
        self._size = 0

    def __call__(self, most: int, /) -> bytes:
        data = self._inner(most)
        self._size += len(data)
        if self._size > self._entry.size or (not data and self._size < self._entry.size):
            what = f"it holds {'more' if data else 'fewer'} bytes than the {self._entry.size} it says"
            raise _damaged(what, self._where)
        return data


class _Summed:
    """The same bytes, at their end held against the checksum that the directory states."""

    def __init__(self, inner: Pull, entry: Entry, where: str) -> None:
        self._inner, self._entry, self._where = inner, entry, where
        self._crc = 0

    def __call__(self, most: int, /) -> bytes:
        data = self._inner(most)
        self._crc = zlib.crc32(data, self._crc)
        if not data:
            _refuse_other(self._crc, self._entry, self._where)
        return data


def _refuse_other(crc: int, entry: Entry, where: str) -> None:
    if crc != entry.crc:
        raise _damaged("its checksum is another", where)


def _damaged(what: str, where: str) -> InputError:
    return InputError(f"is damaged: {what}", where=where, fix="get the file again")


def _start(file: Bytes, entry: Entry, where: str) -> int:
    """Where the packed bytes begin: behind the member's own header, which must be that of the same member."""
    head: tuple[bytes, int, int, int, int, int, int, int, int, int, int] = LOCAL.unpack(
        file.at(entry.offset, LOCAL.size)
    )
    mark, _, flags, method, *_, long, longer = head
    name = file.at(entry.offset + LOCAL.size, long)
    if mark != b"PK\x03\x04" or (name, method) != (entry.raw, entry.method) or flags & LOCKED:
        fix = "two readers would take it for two different members: look where the file comes from"
        raise InputError("has a header that says something else than the directory", where=where, fix=fix)
    return entry.offset + LOCAL.size + long + longer
