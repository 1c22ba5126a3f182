"""A path that a person named -> what its members are."""

from __future__ import annotations

import zipfile
from pathlib import Path

from denominator.errors import InputError
from denominator.wire.sources.base import Source
from denominator.wire.sources.folder import Folder, OneFile

ZIP = (b"PK\x03\x04", b"PK\x05\x06")


def open_source(path: Path) -> Source:
    """Open a folder, a zip file (by its content, whatever its ending) or one file. Raises InputError, in words."""
    if path.is_dir():
        return Folder(path)
    try:
        with path.open("rb") as stream:
            start = stream.read(4)
    except FileNotFoundError:
        raise InputError("no such file or folder", where=str(path)) from None
    except (OSError, ValueError) as error:
        what = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"cannot be read ({what})", where=str(path)) from None
    if start in ZIP or zipfile.is_zipfile(path):
        from denominator.wire.sources.archive import Archive

        return Archive(path)
    return OneFile(path)
