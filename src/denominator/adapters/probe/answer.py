"""The answer while it arrives: its bytes, when they came, and whether there is any reason to go on reading."""

from __future__ import annotations

from denominator.records.probe_words import End
from denominator.wire.http_coding import Unpacker
from denominator.wire.http_reply import ReplyReader, State
from denominator.wire.sse import SseReader

DONE = "[DONE]"
STAMPS_MAX = 4096
STAMP_US = 10_000
OVERHEAD = 8
"""How many times its body an answer may weigh on the wire: chunks of one byte each stay below that."""
ENDS = {State.WHOLE: End.COMPLETE, State.ILLEGAL: End.ILLEGAL, State.OVER: End.CAP}


class Answer:
    """Takes bytes as they come. `streamed`: a stream was asked for."""

    def __init__(self, body_max: int, *, streamed: bool) -> None:
        self.wire = bytearray()
        self.at: list[tuple[int, int]] = []
        self.done_us = -1
        """When the stream said that it is over; -1: it has not."""
        self._max = body_max
        self._streamed = streamed
        self._reader = ReplyReader(body_max)
        self._unpack: Unpacker | None = None
        self._events: SseReader | None = None

    @property
    def end(self) -> End | None:
        """Why nothing more needs to be read; None while something is missing."""
        if self._reader.state in ENDS:
            return ENDS[self._reader.state]
        heavy = len(self.wire) > OVERHEAD * self._max + 2**20
        return End.CAP if heavy or (self._unpack and self._unpack.over) else None

    def take(self, data: bytes, us: int) -> None:
        """Bytes that arrived at `us` microseconds."""
        self.wire += data
        stamp = (len(self.wire), us)
        if len(self.at) >= STAMPS_MAX and us - self.at[-1][1] < STAMP_US:
            # A drip of single bytes must not fill the disk with stamps: these bytes are said to have come a little later.
            self.at[-1] = stamp
        else:
            self.at.append(stamp)
        self._look(self._reader.feed(data), us)

    def closed(self) -> End:
        """The other side has closed in order."""
        self._reader.end()
        return self.end or End.FIN

    def _look(self, body: bytes, us: int) -> None:
        """Looks for the word that ends a stream."""
        if not body:
            return
        if self._unpack is None:
            headers = self._reader.headers
            coding = ", ".join(value for name, value in headers if name == "content-encoding")
            kind = next((value for name, value in headers if name == "content-type"), "")
            self._unpack = Unpacker(coding, self._max)
            if self._streamed or "event-stream" in kind.lower():
                self._events = SseReader()
        plain = self._unpack.feed(body)
        if self._events and any(event.data.strip() == DONE for event in self._events.feed(plain)):
            self.done_us = us if self.done_us < 0 else self.done_us
