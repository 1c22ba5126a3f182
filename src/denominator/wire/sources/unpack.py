"""Packed bytes -> bytes, a piece at a time: no more is unpacked than was asked for, whatever the packed bytes claim."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable
from typing import Any, Protocol

from denominator.errors import InputError
from denominator.wire.sources.limits import READ, Pull, too_good

GZIP, RAW = 31, -15
"""What zlib calls a stream with a gzip header, and one without any."""


class Codec(Protocol):
    """One packed stream. `hungry`: it gives nothing more without further bytes; `ended`: `rest` stands behind its end."""

    hungry: bool
    ended: bool
    rest: bytes

    def step(self, data: bytes, most: int) -> bytes:
        """Take more packed bytes, give at most so many unpacked ones."""
        ...


class Inflate:
    """A stream of zlib."""

    def __init__(self, form: int) -> None:
        self._inner, self._tail = zlib.decompressobj(form), b""
        self.hungry, self.ended, self.rest = True, False, b""

    def step(self, data: bytes, most: int) -> bytes:
        """The next bytes."""
        found = self._inner.decompress(self._tail + data, most)
        self._tail = self._inner.unconsumed_tail
        self.ended, self.rest = self._inner.eof, self._inner.unused_data
        self.hungry = not self._tail and len(found) < most
        return found


class Zstd:
    """A frame of zstd."""

    def __init__(self) -> None:
        self._inner = _zstd().ZstdDecompressor()
        self.hungry, self.ended, self.rest = True, False, b""

    def step(self, data: bytes, most: int) -> bytes:
        """The next bytes."""
        found: bytes = self._inner.decompress(data, most)
        self.ended = self._inner.eof
        self.rest = self._inner.unused_data if self.ended else b""
        self.hungry = not self.ended and self._inner.needs_input
        return found


def _zstd() -> Any:
    """The standard library has it from 3.14 on, its backport before."""
    if sys.version_info >= (3, 14):
        from compression import zstd

        return zstd
    from backports import zstd as backport

    return backport


class Unpacked:
    """The content of one packed stream, or of several behind each other. Raises InputError, in words.

    With `padded` zeros between streams are left out, as gzip does. A content that is larger than any log's is refused
    as soon as that many bytes have come, whoever stated which size.
    """

    def __init__(self, pull: Pull, codec: Callable[[], Codec], name: str, *, padded: bool = False) -> None:
        self._pull, self._codec, self._name, self._padded = pull, codec, name, padded
        self._now: Codec | None = None
        self._rest, self._begun = b"", False
        self._packed = self._unpacked = 0

    def __call__(self, most: int, /) -> bytes:
        try:
            while self._open():
                if data := self._step(most):
                    return data
        except (zlib.error, EOFError, ValueError, OSError) as error:
            raise self._damaged(str(error)) from None
        except Exception as error:  # ZstdError has no class in common with the others
            if type(error).__name__ != "ZstdError":
                raise
            raise self._damaged(str(error)) from None
        return b""

    def _damaged(self, what: str) -> InputError:
        return InputError(f"is damaged: {what}", where=self._name, fix="get the file again")

    def _open(self) -> bool:
        """Is there a stream to read from? The next begins where bytes stand behind the end of the last."""
        while self._now is None:
            if not self._rest and not self._fill():
                return False
            if self._padded and self._begun:
                self._rest = self._rest.lstrip(b"\0")
            if self._rest:
                self._now, self._begun = self._codec(), True
        return True

    def _fill(self) -> bool:
        self._rest = self._pull(READ)
        self._packed += len(self._rest)
        return bool(self._rest)

    def _step(self, most: int) -> bytes:
        """The next bytes of the open stream; none where it has ended, or only took in."""
        now = self._now
        if now is None:
            return b""
        over = now.hungry and not self._rest and not self._fill()
        data, self._rest = now.step(self._rest, most), b""
        if now.ended:
            self._rest, self._now = now.rest, None
        elif over and not data:
            raise self._damaged("it breaks off")
        self._unpacked += len(data)
        if too_good(self._packed, self._unpacked):
            what = f"{self._packed} bytes of it unpack to more than {self._unpacked - len(data)}"
            raise InputError(what, where=self._name, fix="no log packs so well: look where the file comes from")
        return data
