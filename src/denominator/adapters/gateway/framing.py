"""Request bodies of HTTP/1.1: by length or in chunks, never both."""

from __future__ import annotations

from typing import Protocol

from denominator.adapters.gateway.headers import Headers

_LINE_MAX = 1024
_DIGITS_MAX = 12


class Source(Protocol):
    """Where requests come from."""

    def read(self, size: int, /) -> bytes: ...
    def readline(self, size: int, /) -> bytes: ...


class FramingError(Exception):
    """A request whose body cannot be read; after it the connection is closed."""

    def __init__(self, word: str, status: int) -> None:
        super().__init__(word)
        self.word = word
        self.status = status


def read_body(headers: Headers, source: Source, bytes_max: int) -> bytes:
    """The body of a request. A request that names no body has none."""
    lengths = [value.strip() for name, value in headers if name.lower() == "content-length"]
    encodings = [value.strip().lower() for name, value in headers if name.lower() == "transfer-encoding"]
    if encodings:
        # Two ways to say where a body ends are how requests are smuggled.
        if lengths or encodings != ["chunked"]:
            raise FramingError("bad_framing", 400)
        return _chunked(source, bytes_max)
    if not lengths:
        return b""
    if len(set(lengths)) > 1 or not lengths[0].isascii() or not lengths[0].isdigit() or len(lengths[0]) > _DIGITS_MAX:
        raise FramingError("bad_framing", 400)
    size = int(lengths[0])
    if size > bytes_max:
        raise FramingError("too_large", 413)
    return _exactly(source, size)


def _chunked(source: Source, bytes_max: int) -> bytes:
    body = bytearray()
    while True:
        size = _chunk_size(source)
        if len(body) + size > bytes_max:
            raise FramingError("too_large", 413)
        if size == 0:
            _skip_trailers(source)
            return bytes(body)
        body += _exactly(source, size)
        if source.readline(_LINE_MAX) not in (b"\r\n", b"\n"):
            raise FramingError("bad_framing", 400)


def _chunk_size(source: Source) -> int:
    text = source.readline(_LINE_MAX).split(b";")[0].strip()
    if not 0 < len(text) <= _DIGITS_MAX or text.strip(b"0123456789abcdefABCDEF"):
        raise FramingError("bad_framing", 400)
    return int(text, 16)


def _skip_trailers(source: Source) -> None:
    for _ in range(100):
        if source.readline(_LINE_MAX) in (b"\r\n", b"\n", b""):
            return
    raise FramingError("bad_framing", 400)


def _exactly(source: Source, size: int) -> bytes:
    body = source.read(size)
    if len(body) < size:
        raise FramingError("bad_framing", 400)
    return body
