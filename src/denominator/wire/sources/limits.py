"""Streams that end in an error, never in an overflow: more bytes than a member may hold, damage, a content that breaks off."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any, Protocol

from denominator.errors import InputError

READ = 1 << 16
CHUNK = 1 << 20
SMALL = 16 << 20
"""A member that unpacks to no more is no bomb, however well it was packed."""
RATIO_MAX = 2_000
"""No log packs so well; one kind of byte over and over does."""


class Pull(Protocol):
    """Gives the next bytes, at most so many; none at the end. Raises InputError where what it reads is damaged."""

    def __call__(self, most: int, /) -> bytes: ...


class Pulled(io.BufferedReader):
    """Bytes of a member, buffered; past `most` reading raises InputError with its name."""

    def __init__(self, pull: Pull, name: str, most: int, close: Callable[[], None] = lambda: None) -> None:
        super().__init__(_Counted(pull, name, most, close), READ)


class _Counted(io.RawIOBase):
    """`given`: bytes that were read so far."""

    def __init__(self, pull: Pull, name: str, most: int, close: Callable[[], None]) -> None:
        self._pull, self._name, self._left, self._close = pull, name, most, close
        self.given = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        data = self._pull(min(len(buffer), CHUNK))
        self._left -= len(data)
        self.given += len(data)
        if self._left < 0:
            raise InputError("holds more bytes than any member may", where=self._name)
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._close()
        super().close()


def refuse_longer(size: int, name: str, most: int) -> None:
    """Nothing is read of what is known to be too long."""
    if size > most:
        fix = "it is not read as one document of this format"
        raise InputError(f"holds more than {most} bytes", where=name, fix=fix)


def whole(pull: Pull, name: str, most: int) -> bytes:
    """All bytes that come, up to a limit. Memory grows with what is there, never with the limit."""
    parts, size = [], 0
    while data := pull(min(CHUNK, most + 1 - size)):
        parts.append(data)
        size += len(data)
        refuse_longer(size, name, most)
    return b"".join(parts)


def too_good(packed: int, unpacked: int) -> bool:
    """Do so few bytes unpack to more than any log's would?"""
    return unpacked > max(SMALL, RATIO_MAX * packed)
