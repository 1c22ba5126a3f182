"""A zip file as members, read in place and never unpacked: no path is made of its names, no size in it is believed."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from denominator.errors import InputError
from denominator.wire.sources.base import DOCUMENT_BYTES, MEMBER_BYTES
from denominator.wire.sources.folder import shown, whole
from denominator.wire.sources.limits import Limited

MEMBERS_MAX = 1_000_000
RATIO_MAX = 2_000
SMALL = 16 << 20
"""A member that unpacks to less is no bomb, however well it was packed."""
ENCRYPTED = 0x1
LINK = 0o120000


def _zipfile() -> Any:
    """The zip reader that knows zstd: of the standard library from 3.14 on, its backport before."""
    if sys.version_info >= (3, 14):
        import zipfile

        return zipfile
    from backports.zstd import zipfile as backport

    return backport


class Archive:
    """The plain members of a zip file. Of a name that occurs twice the last entry counts, as writers of such logs mean it."""

    def __init__(self, path: Path) -> None:
        self.name = shown(path.name)
        self._zip, self._lock = _zipfile(), threading.Lock()
        try:
            self._file = self._zip.ZipFile(path)
        except (self._zip.BadZipFile, OSError, ValueError, NotImplementedError, EOFError) as error:
            fix = "the copy is not complete: get it again"
            raise InputError(f"is no whole zip file: {error}", where=self.name, fix=fix) from None
        entries = self._file.infolist()
        if len(entries) > MEMBERS_MAX:
            raise InputError(f"holds more than {MEMBERS_MAX} members", where=self.name)
        self.twice = len(entries) - len({one.filename for one in entries})
        self._entries = dict(sorted((one.filename, one) for one in entries if not one.is_dir()))
        for one in self._entries.values():
            self._refuse(one)

    def names(self) -> Sequence[str]:
        """Every member."""
        return tuple(self._entries)

    def size(self, name: str) -> int:
        """Bytes of a member as the archive says; what it really holds is counted while it is read."""
        return int(self._entry(name).file_size)

    @contextmanager
    def open(self, name: str) -> Iterator[BinaryIO]:
        """The bytes of a member as a stream."""
        entry = self._entry(name)
        try:
            inner = self._file.open(entry)
        except (self._zip.BadZipFile, OSError, ValueError, NotImplementedError, RuntimeError, EOFError) as error:
            raise InputError(f"is damaged: {error}", where=f"{self.name}/{name}", fix="get the file again") from None
        with inner:
            yield cast(BinaryIO, Limited(inner, f"{self.name}/{name}", min(MEMBER_BYTES, int(entry.file_size) or 1)))

    def read(self, name: str, most: int = DOCUMENT_BYTES) -> bytes:
        """A member as a whole."""
        with self.open(name) as stream:
            return whole(stream, f"{self.name}/{name}", most)

    def _entry(self, name: str) -> Any:
        if name not in self._entries:
            raise InputError("there is no such member", where=f"{self.name}/{name}")
        return self._entries[name]

    def _refuse(self, entry: Any) -> None:
        """A name that leads out, a link, a locked member, or one that unpacks to far more than any log does."""
        where, parts = f"{self.name}/{entry.filename[:200]}", entry.filename.replace("\\", "/").split("/")
        if entry.filename.startswith("/") or ".." in parts or ":" in parts[0] or "\0" in entry.orig_filename:
            raise InputError("is a name that leads out of the archive", where=where)
        if entry.external_attr >> 16 & 0o170000 == LINK:
            raise InputError("is a link, and no member may be one", where=where)
        if entry.flag_bits & ENCRYPTED:
            raise InputError("is locked with a password", where=where)
        if entry.file_size > MEMBER_BYTES or entry.file_size > max(SMALL, RATIO_MAX * entry.compress_size):
            what = f"says that {entry.compress_size} bytes unpack to {entry.file_size}"
            raise InputError(what, where=where, fix="no log packs so well: look where the file comes from")
