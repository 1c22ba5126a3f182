"""Content codings of an HTTP body: what zlib unpacks, within a cap. A label that the bytes give the lie to is said so."""

from __future__ import annotations

import zlib
from bisect import bisect_left
from dataclasses import dataclass

from denominator.wire.encodings import ENCODED
from denominator.wire.http_reply import HttpReply

STEP = 512
LAYERS_MAX = 3
SPARE = 64 * 1024
GZIP, ZLIB, BARE = 31, 15, -15


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    """A body without its content coding, as far as it could be removed.

    `bad_encoding`: the label is unknown, or the bytes are not what it says. `over`: there is more than the cap.
    `places` has (bytes out, bytes in so far) after each step that gave something.
    """

    data: bytes
    coded: bool = False
    bad_encoding: bool = False
    over: bool = False
    places: tuple[tuple[int, int], ...] = ()

    def coded_size(self, size: int) -> int:
        """How many bytes of the coded body had to be there before the first `size` decoded ones could be read."""
        if not self.coded or not size:
            return size
        found = bisect_left(self.places, size, key=lambda place: place[0])
        return self.places[min(found, len(self.places) - 1)][1] if self.places else 0


class Unpacker:
    """Removes the codings of a `Content-Encoding` value from a body as it arrives. Any cut of sound bytes gives the same."""

    def __init__(self, coding: str, cap: int) -> None:
        named = [each.strip().lower() for each in coding.split(",")]
        self.codings = tuple(each for each in named if each not in ("", "identity"))
        self.bad = len(self.codings) > LAYERS_MAX or any(each not in ENCODED for each in self.codings)
        # Only what comes out last is the body; what is coded again below it may be a little longer than that.
        caps = [2 * cap + SPARE] * (len(self.codings) - 1) + [cap]
        self._layers = [] if self.bad else [_Layer(*each) for each in zip(reversed(self.codings), caps, strict=False)]
        self._fed = False

    @property
    def over(self) -> bool:
        """Has it grown past the cap?"""
        return any(layer.over for layer in self._layers)

    def feed(self, data: bytes) -> bytes:
        """The bytes that `data` gives. Nothing more after a fault or past the cap."""
        self._fed = self._fed or bool(data)
        if self.bad or self.over:
            return b""
        try:
            for layer in self._layers:
                data = layer.feed(data)
        except zlib.error:
            self.bad = True
            return b""
        return data

    def end(self) -> None:
        """The body has ended: a coding that is still open was cut. A body of no bytes at all is just empty."""
        if self._fed and not self.over:
            self.bad = self.bad or not all(layer.closed for layer in self._layers)


def decoded(reply: HttpReply, cap: int) -> Decoded:
    """The body of a reply without its content coding, at most `cap` bytes. A cut coding is bad only in a whole reply."""
    unpack = Unpacker(reply.header("content-encoding"), cap)
    if not unpack.codings:
        return Decoded(data=reply.body[:cap], over=len(reply.body) > cap)
    parts: list[bytes] = []
    places: list[tuple[int, int]] = []
    size = 0
    for start in range(0, len(reply.body), STEP):
        piece = reply.body[start : start + STEP]
        if part := unpack.feed(piece):
            parts.append(part)
            size += len(part)
            places.append((size, start + len(piece)))
    if reply.whole:
        unpack.end()
    data = b"".join(parts)
    return Decoded(data=data, coded=True, bad_encoding=unpack.bad, over=unpack.over, places=tuple(places))


class _Layer:
    """One coding. gzip may be several members in a row; deflate is zlib's format, or the bare one some servers send."""

    def __init__(self, coding: str, cap: int) -> None:
        self._gzip = coding != "deflate"
        self._zip = zlib.decompressobj(GZIP if self._gzip else ZLIB)
        self._first: bytes | None = None if self._gzip else b""
        self._room = cap
        self.over = False

    @property
    def closed(self) -> bool:
        """Is it at its end?"""
        return self._zip.eof

    def feed(self, data: bytes) -> bytes:
        """Decoded bytes up to the cap. Raises zlib.error."""
        if self._first is not None:
            data = self._chosen(self._first + data)
        out: list[bytes] = []
        while data and not self.over:
            if self._zip.eof:
                self._again()
            # One byte more than there is room for tells a body of just that size from a longer one.
            part = self._zip.decompress(data, self._room + 1)
            self.over = len(part) > self._room
            out.append(part[: self._room])
            self._room -= len(out[-1])
            data = self._zip.unused_data if self._zip.eof else self._zip.unconsumed_tail
        return b"".join(out)

    def _chosen(self, begin: bytes) -> bytes:
        """zlib's two leading bytes tell it from the bare format."""
        if len(begin) < 2:
            self._first = begin
            return b""
        if begin[0] & 0x0F != 8 or int.from_bytes(begin[:2], "big") % 31:
            self._zip = zlib.decompressobj(BARE)
        self._first = None
        return begin

    def _again(self) -> None:
        if not self._gzip:
            raise zlib.error("bytes after the end")
        self._zip = zlib.decompressobj(GZIP)
