"""Reading a whole file that a person or another program named: never more than a limit, every refusal in words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from denominator.errors import InputError

CHUNK = 1 << 20
TEXT_BYTES = 16 << 20
"""No document that people write is longer."""


def read_bytes(path: Path, most: int = TEXT_BYTES, fix: str = "") -> bytes:
    """The bytes of a file, pipe or device. Raises InputError: missing, unreadable, a folder, or more than `most` bytes."""
    try:
        with path.open("rb") as source:
            data = source.read(most + 1)
    except FileNotFoundError:
        raise InputError("no such file", where=str(path), fix=fix) from None
    except (OSError, ValueError) as error:
        what = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"cannot be read ({what})", where=str(path), fix=fix) from None
    if len(data) > most:
        raise InputError(f"holds more than {most} bytes", where=str(path), fix="split it, or name another file")
    return data


def read_chunks(path: Path, fix: str = "") -> Iterator[bytes]:
    """The bytes of a file of any size, a chunk at a time; refusals as in `read_bytes`."""
    try:
        with path.open("rb") as source:
            while chunk := source.read(CHUNK):
                yield chunk
    except FileNotFoundError:
        raise InputError("no such file", where=str(path), fix=fix) from None
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror or error})", where=str(path), fix=fix) from None


def read_text(path: Path, most: int = TEXT_BYTES, fix: str = "") -> str:
    """The text of a UTF-8 file; as `read_bytes`."""
    try:
        return read_bytes(path, most, fix).decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start}", where=str(path), fix="save it as UTF-8") from None
