"""A text log, read once as bytes: who wrote what, what the harness says happened, which known texts are in it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from denominator.readers.logs.claims import ClaimBook
from denominator.readers.logs.events import parse_event
from denominator.readers.logs.frames import Framer, Piece
from denominator.readers.logs.match import Matcher
from denominator.readers.logs.shape import Hit, LogEvent, LogRead
from denominator.readers.logs.signatures import SIGNATURES
from denominator.readers.logs.words import HEARD_BYTES, heard

CHUNK = 1 << 20
ENDS = 64 << 10
EVENT_BYTES = 64 << 10
MOST_EVENTS = 20_000
MOST_HITS = 4
"""Hits kept of one signature in one stream; the earliest."""


class LogReader:
    """Feed it the bytes of a log in order; memory stays bounded whatever the log holds."""

    def __init__(self, name: str, matcher: Matcher | None = None) -> None:
        self._name = name
        self._framer = Framer()
        self._matcher = matcher or Matcher(SIGNATURES)
        self._claims = ClaimBook()
        self._sha = hashlib.sha256()
        self._size = 0
        self._head = self._tail = b""
        self._events: list[LogEvent] = []
        self._hits: dict[tuple[str, str], list[Hit]] = {}
        self._full: dict[str, set[str]] = {}
        self._lost_events = 0
        self._start = b""

    def feed(self, data: bytes) -> None:
        """The next bytes."""
        self._sha.update(data)
        self._size += len(data)
        self._start += data[: max(0, HEARD_BYTES - len(self._start))]
        self._head += data[: max(0, ENDS - len(self._head))]
        self._tail = (self._tail + data[-ENDS:])[-ENDS:]
        for piece in self._framer.feed(data):
            self._take(piece)

    def finish(self) -> LogRead:
        """What the log holds, after its last byte."""
        for piece in self._framer.finish():
            self._take(piece)
        hits = sorted(hit for found in self._hits.values() for hit in found)
        return LogRead(
            name=self._name,
            sha256=self._sha.hexdigest(),
            size=self._size,
            head=self._head,
            tail=self._tail[max(0, len(self._head) + len(self._tail) - self._size) :],
            formatted=self._framer.formatted,
            span_ms=max(0, self._framer.last_ms - self._framer.first_ms),
            hits=tuple(hits),
            words=heard(self._start, self._matcher),
            events=tuple(self._events),
            claims=self._claims.claims(),
            lost_events=self._lost_events,
        )

    def _take(self, piece: Piece) -> None:
        if piece.stream == "evt":
            self._event(piece)
        elif (piece.phase, piece.stream) == ("verify", "out"):
            self._claims.read(piece.text)
        else:
            self._look(piece)

    def _event(self, piece: Piece) -> None:
        seq = len(self._events) + self._lost_events + 1
        event = parse_event(piece.text[:EVENT_BYTES], seq, piece.offset, piece.at_ms, piece.phase)
        if event is not None and len(self._events) < MOST_EVENTS:
            self._events.append(event)
        elif event is not None:
            self._lost_events += 1

    def _look(self, piece: Piece) -> None:
        stream = f"{piece.phase}/{piece.stream}"
        full = self._full.setdefault(stream, set())
        for hit in sorted(self._matcher.hits(piece, full)):
            kept = self._hits.setdefault((hit.signature, stream), [])
            if len(kept) < MOST_HITS and all(one.offset != hit.offset for one in kept):
                kept.append(hit)
            if len(kept) == MOST_HITS:
                full.add(hit.signature)


def read_log(name: str, chunks: Iterable[bytes]) -> LogRead:
    """Read a log from its chunks, of whatever sizes."""
    reader = LogReader(name)
    for chunk in chunks:
        for at in range(0, len(chunk), CHUNK):
            reader.feed(chunk[at : at + CHUNK])
    return reader.finish()
