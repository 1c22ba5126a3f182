"""Byte ranges of a ledger file, cut behind newlines, so that each of them is a file of whole lines by itself."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from typing import BinaryIO, NamedTuple

ENOUGH_BYTES = 64 << 20
"""A smaller file is read before a second process has begun."""
MOST_READERS = 4
LOOK_BYTES = 2**16
END_OF_FILE = "end"
"""How one process names the end of a range to another where it is that of the file."""


class Range(NamedTuple):
    """From a byte of a file to another one, not with it; the last range goes to where the file ends when it is read."""

    start: int
    stop: int | None = None


WHOLE = (Range(0),)


class RangeFile(io.RawIOBase):
    """A range of an open file, read at its own place: other readers of the same descriptor do not move it."""

    def __init__(self, descriptor: int, part: Range) -> None:
        super().__init__()
        self._descriptor, self._at, self._stop = descriptor, part.start, part.stop

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, into: memoryview) -> int:  # type: ignore[override]
        """Fill with what comes next; 0 at the end."""
        many = len(into) if self._stop is None else min(len(into), self._stop - self._at)
        raw = os.pread(self._descriptor, many, self._at)
        into[: len(raw)] = raw
        self._at += len(raw)
        return len(raw)


def opened_range(descriptor: int, part: Range) -> BinaryIO:
    """A range as a file."""
    return io.BufferedReader(RangeFile(descriptor, part), LOOK_BYTES)


def by_cores(file: BinaryIO, ahead: int = 0) -> Sequence[Range]:
    """Ranges of about one length, one for every usable core; one for a small file, or for one that is only in memory.

    The first is longer by the bytes that are read ahead of the others.
    """
    try:
        descriptor = file.fileno()
    except OSError:
        return WHOLE
    size, many = os.fstat(descriptor).st_size, min(cores(), MOST_READERS)
    if size < ENOUGH_BYTES:
        return WHOLE
    return cut_behind(descriptor, [ahead + (size - ahead) * at // many for at in range(1, many)])


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def cut_behind(descriptor: int, wanted: Sequence[int]) -> Sequence[Range]:
    """Ranges that begin at the first line from each wanted byte on; where one line goes over several, they are one cut."""
    starts = [0]
    for byte in sorted(wanted):
        if byte > starts[-1]:
            found = _next_line(descriptor, byte)
            if found is None:
                break
            starts.append(found)
    return [Range(start, stop) for start, stop in zip(starts, (*starts[1:], None), strict=True)]


def _next_line(descriptor: int, byte: int) -> int | None:
    """Where the first line begins that begins at this byte (above 0) or behind it; nothing where none does."""
    at = byte - 1
    while raw := os.pread(descriptor, LOOK_BYTES, at):
        newline = raw.find(b"\n")
        if newline >= 0:
            return at + newline + 1
        at += len(raw)
    return None
