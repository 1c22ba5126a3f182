"""A stream that ends in an error where it holds more than it may."""

from __future__ import annotations

import io
import zlib
from typing import IO, Any

from denominator.errors import InputError

READ = 1 << 16


class Limited(io.BufferedReader):
    """Bytes of a member, buffered; past the limit, or where they are damaged, reading raises InputError with its name."""

    def __init__(self, inner: IO[bytes], name: str, most: int) -> None:
        super().__init__(_Counted(inner, name, most), READ)


class _Counted(io.RawIOBase):
    def __init__(self, inner: IO[bytes], name: str, most: int) -> None:
        self._inner, self._name, self._left = inner, name, most

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        try:
            data = self._inner.read(len(buffer))
        except _damage() as error:
            raise InputError(f"is damaged: {error}", where=self._name, fix="get the file again") from None
        self._left -= len(data)
        if self._left < 0:
            raise InputError("holds more bytes than any member may", where=self._name)
        buffer[: len(data)] = data
        return len(data)


def _damage() -> tuple[type[Exception], ...]:
    """What a damaged archive raises; which classes they are depends on what is loaded by now."""
    import zipfile

    try:
        from compression.zstd import ZstdError  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        from backports.zstd import ZstdError
    return OSError, EOFError, ValueError, NotImplementedError, zlib.error, zipfile.BadZipFile, ZstdError
