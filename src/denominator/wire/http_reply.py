"""One HTTP/1.1 answer, read as it arrives or from stored bytes: any cut of the bytes gives the same reply.

h11 decides what is legal. It also tidies up, so what it takes silently is kept here as `oddities`, and each byte of the
body keeps its place in the bytes as sent. Interim answers (1xx) are skipped.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import h11

from denominator.records.rows import Count
from denominator.records.values import NotMeasured

HEAD_BYTES_MAX = 64 * 1024
"""A head, a chunk's own line or a trailer that is longer is illegal."""
INTERIM_MAX = 1_000
INTERIM_BYTES_MAX = 2**20
SLICE = 1024
NO_HEAD = NotMeasured("no whole head has arrived")


class State(StrEnum):
    """How far the message has come by the rules of HTTP. `over`: its body grew past the cap, the rest is not read."""

    NO_HEAD = "no_head"
    BODY_OPEN = "body_open"
    WHOLE = "whole"
    ILLEGAL = "illegal"
    OVER = "over"


class Framing(StrEnum):
    """What says where the body ends: a length, chunks, the end of the connection, or the status (no body)."""

    UNKNOWN = ""
    LENGTH = "length"
    CHUNKED = "chunked"
    EOF = "eof"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpReply:
    """A reply as far as it came. `headers`: names in lower case, values as latin-1 text, in their order.

    `body` has no transfer coding any more; its content coding is as sent (`http_coding.decoded` removes it). `head` is
    the last head as sent; `extra` counts bytes after the message's end, `wire_bytes` all that was read. `places` has
    (offset in the body, offset in the wire) of each unbroken piece.
    """

    state: State
    status: Count = NO_HEAD
    version: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    head: bytes = b""
    body: bytes = b""
    framing: Framing = Framing.UNKNOWN
    interim: int = 0
    extra: int = 0
    wire_bytes: int = 0
    oddities: tuple[str, ...] = ()
    places: tuple[tuple[int, int], ...] = ()

    @property
    def whole(self) -> bool:
        """Is the message complete?"""
        return self.state is State.WHOLE

    def values(self, name: str) -> tuple[str, ...]:
        """The values of a header, one for each time it was sent."""
        return tuple(value for given, value in self.headers if given == name.lower())

    def header(self, name: str) -> str:
        """The same as one text, joined by commas as HTTP allows; "" where it was not sent."""
        return ", ".join(self.values(name))

    def wire_size(self, body_bytes: int) -> int:
        """How many bytes had to arrive before the first `body_bytes` of the body were there."""
        if not body_bytes or not self.places:
            return 0
        last = min(body_bytes, len(self.body)) - 1
        begin, place = self.places[bisect_right(self.places, last, key=lambda each: each[0]) - 1]
        return place + last - begin + 1


class ReplyReader:
    """Feed bytes until `done`. `body_max` bounds the body without its transfer coding, in bytes."""

    def __init__(self, body_max: int) -> None:
        self._http = _expecting()
        self._max = body_max
        self._read = self._at = self._size = 0
        self._head = bytearray()
        self._heads = self._interim = 0
        self._parts: list[bytes] = []
        self._places: list[tuple[int, int]] = []
        self._response: h11.Response | None = None
        self.state = State.NO_HEAD

    @property
    def done(self) -> bool:
        """Nothing that comes later can change the reply: it is whole, illegal or over."""
        return self.state not in (State.NO_HEAD, State.BODY_OPEN)

    @property
    def over(self) -> bool:
        """Has the body grown past the cap?"""
        return self.state is State.OVER

    @property
    def status(self) -> Count:
        """The status, as soon as the head is there."""
        return self._response.status_code if self._response else NO_HEAD

    @property
    def headers(self) -> tuple[tuple[str, str], ...]:
        """As in the reply."""
        return _texts(self._response) if self._response else ()

    def feed(self, data: bytes) -> bytes:
        """The bytes of the body that `data` completes."""
        before = len(self._parts)
        view = memoryview(data)
        for start in range(0, len(data), SLICE):
            self._slice(bytes(view[start : start + SLICE]))
        return b"".join(self._parts[before:])

    def end(self) -> None:
        """The other side has closed the connection in order: a body that ends so is whole now."""
        if self.state is State.BODY_OPEN and self._framing is Framing.EOF:
            self.state = State.WHOLE
            self._at = self._read

    def reply(self) -> HttpReply:
        """The reply as far as it has come."""
        head = self._response
        return HttpReply(
            state=self.state,
            status=self.status,
            version=head.http_version.decode("ascii") if head else "",
            headers=self.headers,
            head=bytes(self._head) if head else b"",
            body=b"".join(self._parts),
            framing=self._framing,
            interim=self._interim,
            extra=self._read - self._at if self.state is State.WHOLE else 0,
            wire_bytes=self._read,
            oddities=_oddities(bytes(self._head)) if head else (),
            places=tuple(self._places),
        )

    def _slice(self, data: bytes) -> None:
        self._read += len(data)
        if self.done:
            return
        self._http.receive_data(data)
        if self._response is None:
            self._head += data
        try:
            while not self.done and self._take(self._http.next_event()):
                pass
        except (h11.ProtocolError, ValueError):
            # A length of thousands of digits is a ValueError of the language, not of h11.
            self.state = State.ILLEGAL

    def _take(self, event: object) -> bool:
        """Takes an event; false when there is no further one in the bytes so far."""
        if event is h11.NEED_DATA:
            return False
        end = self._read - len(self._http.trailing_data[0])
        carried = len(event.data) if isinstance(event, h11.Data) else 0
        if end - self._at - carried > HEAD_BYTES_MAX:
            self.state = State.ILLEGAL
        elif isinstance(event, h11.Data):
            self._keep(bytes(event.data), end - carried)
        elif isinstance(event, h11.Response):
            self._response = event
            del self._head[end - self._at :]
            self.state = State.BODY_OPEN
        elif isinstance(event, h11.InformationalResponse):
            self._skip(event, end)
        else:
            self.state = State.WHOLE if isinstance(event, h11.EndOfMessage) else State.ILLEGAL
        self._at = end
        return True

    def _keep(self, data: bytes, place: int) -> None:
        room = self._max - self._size
        if len(data) > room:
            self.state = State.OVER
            data = data[:room]
        if not data:
            return
        if not self._places or place - self._places[-1][1] != self._size - self._places[-1][0]:
            self._places.append((self._size, place))
        self._parts.append(data)
        self._size += len(data)

    def _skip(self, event: h11.InformationalResponse, end: int) -> None:
        self._interim += 1
        self._heads += end - self._at
        del self._head[: end - self._at]
        if event.status_code == 101 or self._interim > INTERIM_MAX or self._heads > INTERIM_BYTES_MAX:
            # Nobody asked for another protocol, and an answer that never begins is none.
            self.state = State.ILLEGAL

    @property
    def _framing(self) -> Framing:
        head = self._response
        if head is None:
            return Framing.UNKNOWN
        names = {bytes(name) for name, _ in head.headers}
        if head.status_code in (204, 304):
            return Framing.NONE
        if b"transfer-encoding" in names:
            return Framing.CHUNKED
        return Framing.LENGTH if b"content-length" in names else Framing.EOF


def read_reply(wire: bytes, body_max: int, *, closed: bool = False) -> HttpReply:
    """Reads stored bytes. `closed`: the other side ended the connection in order, which is the end of some bodies."""
    reader = ReplyReader(body_max)
    reader.feed(wire)
    if closed:
        reader.end()
    return reader.reply()


def arrived_us(at: Sequence[tuple[int, int]], wire_bytes: int) -> Count:
    """When the first `wire_bytes` had arrived, by stamps of (bytes so far, microseconds) as in `Exchange.at`."""
    found = bisect_left(at, wire_bytes, key=lambda stamp: stamp[0])
    return at[found][1] if found < len(at) else NotMeasured("these bytes have not arrived")


def _expecting() -> h11.Connection:
    """A connection on which a request has just been sent."""
    http = h11.Connection(h11.CLIENT, max_incomplete_event_size=HEAD_BYTES_MAX)
    http.send(h11.Request(method="POST", target="/", headers=[("Host", "x"), ("Content-Length", "0")]))
    http.send(h11.EndOfMessage())
    return http


def _texts(head: h11.Response) -> tuple[tuple[str, str], ...]:
    return tuple((bytes(name).decode("latin-1"), bytes(value).decode("latin-1")) for name, value in head.headers)


def _oddities(head: bytes) -> tuple[str, ...]:
    """What is legal enough to be read and still odd, in closed words."""
    lines = head.lower().split(b"\n")[1:]
    lengths = sum(line.startswith(b"content-length:") for line in lines)
    chunked = any(line.startswith(b"transfer-encoding:") for line in lines)
    found = {
        "length_repeated": lengths > 1 or any(line.startswith(b"content-length:") and b"," in line for line in lines),
        "length_beside_chunked": lengths > 0 and chunked,
        "folded_header": any(line[:1] in (b" ", b"\t") for line in lines),
        "bare_newline": head.count(b"\n") != head.count(b"\r\n"),
    }
    return tuple(word for word, holds in found.items() if holds)
