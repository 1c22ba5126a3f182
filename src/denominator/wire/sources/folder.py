"""A folder, or one file, as members."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from denominator.errors import InputError
from denominator.wire.sources.base import DOCUMENT_BYTES, MEMBER_BYTES
from denominator.wire.sources.limits import Limited

DEPTH_MAX = 24
FILES_MAX = 500_000


class Folder:
    """The plain files below a folder. No link is followed; what cannot be looked into is refused, for it may hold rows."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.name = path.resolve().name
        self._files = dict(sorted(_walk(path)))

    def names(self) -> Sequence[str]:
        """Every plain file, hidden ones too (`.aider.results.json` is one)."""
        return tuple(self._files)

    def size(self, name: str) -> int:
        """Bytes of a member."""
        return self._place(name).stat().st_size

    @contextmanager
    def open(self, name: str) -> Iterator[BinaryIO]:
        """The bytes of a member as a stream."""
        with opened(self._place(name), name) as stream:
            yield stream

    def read(self, name: str, most: int = DOCUMENT_BYTES) -> bytes:
        """A member as a whole."""
        with self.open(name) as stream:
            return whole(stream, name, most)

    def _place(self, name: str) -> Path:
        if name not in self._files:
            raise InputError("there is no such file", where=name)
        return self._files[name]


class OneFile:
    """One file as its only member."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.name = shown(path.name)

    def names(self) -> Sequence[str]:
        """Its own name."""
        return (self.name,)

    def size(self, name: str) -> int:
        """Its bytes."""
        self._check(name)
        return self._path.stat().st_size

    @contextmanager
    def open(self, name: str) -> Iterator[BinaryIO]:
        """Its bytes as a stream."""
        self._check(name)
        with opened(self._path, name) as stream:
            yield stream

    def read(self, name: str, most: int = DOCUMENT_BYTES) -> bytes:
        """All of it."""
        with self.open(name) as stream:
            return whole(stream, name, most)

    def _check(self, name: str) -> None:
        if name != self.name:
            raise InputError("there is no such file", where=name)


def whole(stream: BinaryIO, name: str, most: int) -> bytes:
    """All bytes of a stream, up to a limit."""
    data = stream.read(most + 1)
    if len(data) > most:
        raise InputError(
            f"holds more than {most} bytes", where=name, fix="it is not read as one document of this format"
        )
    return data


@contextmanager
def opened(path: Path, name: str) -> Iterator[BinaryIO]:
    """A plain file, opened; no more than `MEMBER_BYTES` of it, and never through a link that was put there since."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=name) from None
    with os.fdopen(handle, "rb") as stream:
        yield cast(BinaryIO, Limited(stream, name, MEMBER_BYTES))


def shown(name: str) -> str:
    """A file's name as text; bytes that are no UTF-8 by number."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _walk(root: Path) -> Iterator[tuple[str, Path]]:
    count = 0
    for here, folders, files in os.walk(root, onerror=_refuse):
        below = Path(here).relative_to(root)
        if len(below.parts) >= DEPTH_MAX and folders:
            raise InputError(f"holds folders more than {DEPTH_MAX} deep", where=str(root))
        folders[:] = sorted(one for one in folders if one not in IGNORED)
        for file in files:
            path = Path(here) / file
            if path.is_symlink() or not path.is_file():
                continue
            count += 1
            if count > FILES_MAX:
                fix = "name the folder of one result"
                raise InputError(f"holds more than {FILES_MAX} files", where=str(root), fix=fix)
            yield shown((below / file).as_posix()), path


IGNORED = frozenset((".git", "__pycache__", "node_modules", ".venv"))


def _refuse(error: OSError) -> None:
    raise InputError(f"cannot be looked into ({error.strerror})", where=str(error.filename)) from None
