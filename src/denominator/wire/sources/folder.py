"""A folder, or one file, as members. Every part of a path is opened by itself below the folder, and never through a link."""

from __future__ import annotations

import os
import stat
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from denominator.errors import InputError
from denominator.wire.sources.base import DOCUMENT_BYTES, MEMBER_BYTES
from denominator.wire.sources.limits import Pull, Pulled, refuse_longer, whole

DEPTH_MAX = 24
FILES_MAX = 500_000
FILE = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK
FOLDER = os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY
IGNORED = frozenset((".git", "__pycache__", "node_modules", ".venv"))
"""Folders that hold programs, and no result."""

Parts = tuple[str, ...]


class Folder:
    """The plain files below a folder. No link is followed; what cannot be looked into is refused, for it may hold rows."""

    def __init__(self, path: Path) -> None:
        self.name = shown(path.resolve().name or "/")
        self._root = _open(str(path), FOLDER, shown(str(path)))
        weakref.finalize(self, os.close, self._root)
        self._files: dict[str, Parts] = {}
        for parts in _walk(self._root, self.name):
            if len(self._files) >= FILES_MAX:
                fix = "name the folder of one result"
                raise InputError(f"holds more than {FILES_MAX} files", where=self.name, fix=fix)
            name = shown("/".join(parts))
            if name in self._files:
                raise InputError("is the name of two files when it is written as text", where=name, fix="rename one")
            self._files[name] = parts
        self._files = dict(sorted(self._files.items()))

    def names(self) -> Sequence[str]:
        """Every plain file, hidden ones too (`.aider.results.json` is one)."""
        return tuple(self._files)

    def size(self, name: str) -> int:
        """Bytes of a member."""
        handle = self._handle(name)
        try:
            return os.fstat(handle).st_size
        finally:
            os.close(handle)

    @contextmanager
    def open(self, name: str) -> Iterator[BinaryIO]:
        """The bytes of a member as a stream."""
        with _stream(self._handle(name), name) as stream:
            yield stream

    def read(self, name: str, most: int = DOCUMENT_BYTES) -> bytes:
        """A member as a whole."""
        with _stream(self._handle(name), name, most) as stream:
            return whole(stream.read, name, most)

    def _handle(self, name: str) -> int:
        if name not in self._files:
            raise InputError("there is no such file", where=name)
        *folders, last = self._files[name]
        here = os.dup(self._root)
        for part in folders:
            below = here
            try:
                here = _open(part, FOLDER | os.O_NOFOLLOW, name, below)
            finally:
                os.close(below)
        try:
            return plain_file(last, name, FILE | os.O_NOFOLLOW, here)
        finally:
            os.close(here)


class OneFile:
    """One file as its only member. A link that a person names is followed; what it leads to must be a plain file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.name = shown(path.name)

    def names(self) -> Sequence[str]:
        """Its own name."""
        return (self.name,)

    def size(self, name: str) -> int:
        """Its bytes."""
        handle = self._handle(name)
        try:
            return os.fstat(handle).st_size
        finally:
            os.close(handle)

    @contextmanager
    def open(self, name: str) -> Iterator[BinaryIO]:
        """Its bytes as a stream."""
        with _stream(self._handle(name), name) as stream:
            yield stream

    def read(self, name: str, most: int = DOCUMENT_BYTES) -> bytes:
        """All of it."""
        with _stream(self._handle(name), name, most) as stream:
            return whole(stream.read, name, most)

    def _handle(self, name: str) -> int:
        if name != self.name:
            raise InputError("there is no such file", where=name)
        return plain_file(str(self._path), name)


def plain_file(path: str, name: str, flags: int = FILE, folder: int | None = None) -> int:
    """A descriptor of a plain file; a pipe or a device is refused, and never waited for."""
    handle = _open(path, flags, name, folder)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise InputError("is no plain file", where=name)
    return handle


def shown(name: str) -> str:
    """A file's name as text; bytes that are no UTF-8 by number."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def reading(handle: int, name: str) -> Pull:
    """The bytes of an open file."""

    def pull(most: int, /) -> bytes:
        try:
            return os.read(handle, most)
        except OSError as error:
            raise InputError(f"cannot be read ({error.strerror})", where=name) from None

    return pull


def _stream(handle: int, name: str, most: int = MEMBER_BYTES) -> Pulled:
    try:
        refuse_longer(os.fstat(handle).st_size, name, most)
    except InputError:
        os.close(handle)
        raise
    return Pulled(reading(handle, name), name, MEMBER_BYTES, lambda: os.close(handle))


def _open(path: str, flags: int, name: str, folder: int | None = None) -> int:
    try:
        return os.open(path, flags, dir_fd=folder)
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=name) from None
    except ValueError as error:
        raise InputError(f"cannot be read ({error})", where=name) from None


def _walk(folder: int, root: str, above: Parts = ()) -> Iterator[Parts]:
    """The parts of the path of every plain file below an open folder."""
    if len(above) > DEPTH_MAX:
        raise InputError(f"holds folders more than {DEPTH_MAX} deep", where=root)
    where = shown("/".join((root, *above)))
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_file(follow_symlinks=False):
                    yield *above, entry.name
                elif entry.is_dir(follow_symlinks=False) and entry.name not in IGNORED:
                    inner = _open(entry.name, FOLDER | os.O_NOFOLLOW, f"{where}/{shown(entry.name)}", folder)
                    try:
                        yield from _walk(inner, root, (*above, entry.name))
                    finally:
                        os.close(inner)
    except OSError as error:
        raise InputError(f"cannot be looked into ({error.strerror})", where=where) from None
