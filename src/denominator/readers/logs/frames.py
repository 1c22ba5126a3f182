"""Chunks of a log -> pieces of text that belong to one stream, in bounded memory and at the speed of a byte search.

The agent's streams are passed over without being taken apart: only where the next line of another stream begins is
looked for. A line without the format goes on with the stream before it.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Generator, Iterator
from dataclasses import dataclass

STAMP = rb"([0-2][0-9]):([0-5][0-9]):([0-6][0-9])(?:[.,]([0-9]{1,9}))?[ \t]+"
ANY = re.compile(rb"\n" + STAMP + rb"(setup|agent|verify|harness)/(out|err|evt)\|[ ]?")
HEAD = re.compile(ANY.pattern.removeprefix(rb"\n"))
OWNED = re.compile(rb"\n" + STAMP + rb"(?:(setup|verify|harness)/(out|err|evt)|(agent)/(evt))\|[ ]?")
OTHER = {
    f"{phase}/{stream}": re.compile(
        rb"\n"
        + STAMP
        + rb"(?!"
        + f"{phase}/{stream}".encode()
        + rb"\|)(setup|agent|verify|harness)/(out|err|evt)\|[ ]?"
    )
    for phase in ("setup", "verify", "harness")
    for stream in ("out", "err")
}
BOM = b"\xef\xbb\xbf"
LOOK_BACK = 64
PIECE = 1 << 20
OVERLAP = 1 << 10
DAY_MS = 86_400_000
PASSED_OVER = ("agent/out", "agent/err")


@dataclass(frozen=True, slots=True)
class Piece:
    """Text of one stream. `offset` is its first byte in the file. `whole`: it begins where a line's text begins."""

    phase: str
    stream: str
    offset: int
    at_ms: int
    text: bytes
    whole: bool


class Framer:
    """Feed it chunks; it gives pieces of the streams that the agent does not own. An event is a piece of its own."""

    def __init__(self) -> None:
        self._rest = b"\n"
        self._offset = -1
        self._at_line = True
        self._begun = False
        self._stream: tuple[str, str] = ("agent", "out")
        self.formatted = False
        self.first_ms = self.last_ms = -1
        self._day = 0

    def feed(self, data: bytes) -> Iterator[Piece]:
        """The pieces that are complete with this chunk."""
        self._rest += data
        if not self._begun and len(self._rest) <= len(BOM):
            return
        self._begin()
        end = self._rest.rfind(b"\n")
        if end > 0 or (end == 0 and not self._at_line):
            yield from self._pieces(self._rest[:end])
            self._at_line = True
            self._drop(end)
        if len(self._rest) > PIECE:
            yield from self._pieces(self._rest)
            self._at_line = False
            self._drop(len(self._rest) - OVERLAP)

    def finish(self) -> Iterator[Piece]:
        """The pieces of the last line, which need not end in a line feed."""
        self._begin()
        yield from self._pieces(self._rest)
        self._rest = b""

    def _begin(self) -> None:
        """The buffer begins with the line feed before its first line; a byte order mark is no part of that line."""
        if not self._begun and self._rest.startswith(BOM, 1):
            self._rest, self._offset = b"\n" + self._rest[1 + len(BOM) :], self._offset + len(BOM)
        self._begun = True

    def _drop(self, size: int) -> None:
        self._rest = self._rest[size:]
        self._offset += size

    def _pieces(self, buffer: bytes) -> Iterator[Piece]:
        if self.first_ms < 0 and (first := ANY.search(buffer)) is not None:
            self.first_ms = self._time(first)
        at = 0
        if not (self._at_line and ANY.match(buffer)) and "/".join(self._stream) not in PASSED_OVER:
            start, nxt = int(self._at_line), ANY.search(buffer, int(self._at_line))
            at = nxt.start() if nxt else len(buffer)
            if self._stream[1] != "evt" and at > start:
                yield self._piece(buffer, start, at, whole=self._at_line)
        while (found := OWNED.search(buffer, at)) is not None:
            at = yield from self._owned(buffer, found)
        self._last(buffer, at, len(buffer))

    def _owned(self, buffer: bytes, found: re.Match[bytes]) -> Generator[Piece, None, int]:
        """All lines of one owned stream that stand in a row, as one piece; events one by one. Gives where they end."""
        phase, stream = self._see(found)
        start = found.end()
        if stream == "evt":
            end = buffer.find(b"\n", start)
            yield self._piece(buffer, start, end if end >= 0 else len(buffer), whole=True)
            nxt = ANY.search(buffer, start)
            return nxt.start() if nxt else len(buffer)
        nxt = OTHER[f"{phase}/{stream}"].search(buffer, start)
        end = nxt.start() if nxt else len(buffer)
        yield self._piece(buffer, start, end, whole=True)
        self._last(buffer, start, end)
        return end

    def _last(self, buffer: bytes, at: int, end: int) -> None:
        """Which stream goes on after this part of a buffer, and when its last line with a head was written."""
        place = end
        for _ in range(LOOK_BACK):
            if (place := buffer.rfind(b"\n", at, place)) < 0:
                return
            if (found := ANY.match(buffer, place)) is not None:
                self._see(found)
                return
        last = deque(ANY.finditer(buffer, at, place), maxlen=1)
        if last:
            self._see(last[0])

    def _names(self, found: re.Match[bytes]) -> tuple[str, str]:
        groups = found.groups()[4:]
        phase, stream = groups[:2] if groups[0] else groups[2:]
        return phase.decode(), stream.decode()

    def _time(self, found: re.Match[bytes]) -> int:
        hours, minutes, seconds = (int(found[place]) for place in (1, 2, 3))
        fraction = int(((found[4] or b"") + b"000")[:3])
        return ((hours * 60 + minutes) * 60 + seconds) * 1000 + fraction

    def _see(self, found: re.Match[bytes]) -> tuple[str, str]:
        now = self._time(found)
        if self.last_ms >= 0 and now + self._day + DAY_MS // 2 < self.last_ms:
            self._day += DAY_MS
        self.last_ms = now + self._day
        self.formatted = True
        self._stream = self._names(found)
        return self._stream

    def _piece(self, buffer: bytes, start: int, end: int, *, whole: bool) -> Piece:
        phase, stream = self._stream
        return Piece(phase, stream, self._offset + start, self.last_ms, buffer[start:end], whole)
