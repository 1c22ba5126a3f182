"""A path that a person named -> what its members are."""

from __future__ import annotations

import os
from pathlib import Path

from denominator.errors import InputError
from denominator.wire.sources.base import Source
from denominator.wire.sources.folder import Folder, OneFile, plain_file, shown

ZIP = (b"PK\x03\x04", b"PK\x05\x06")
GZIP = b"\x1f\x8b"


def open_source(path: Path) -> Source:
    """Open a folder, a zip file or a gzip file (by its first bytes, whatever its ending) or one file as it is.

    A file with a zip file behind something else is that something else. Raises InputError, in words.
    """
    start = _start(path)
    if start is None:
        return Folder(path)
    if start in ZIP:
        from denominator.wire.sources.archive import Archive

        return Archive(path)
    if start[:2] == GZIP:
        from denominator.wire.sources.gz import Packed

        return Packed(path)
    return OneFile(path)


def _start(path: Path) -> bytes | None:
    """The first bytes of a plain file; None: it is a folder."""
    where = shown(str(path))
    try:
        if path.is_dir():
            return None
        if not path.exists():
            raise InputError("no such file or folder", where=where)
    except (OSError, ValueError) as error:
        what = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"cannot be read ({what})", where=where) from None
    handle = plain_file(str(path), where)
    try:
        return os.read(handle, 4)
    finally:
        os.close(handle)
