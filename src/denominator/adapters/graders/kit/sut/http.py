"""One HTTP/1.1 answer, read strictly from bytes that the solution chose: caps on all, one way to be framed, no rest."""

from __future__ import annotations

import re

from .door import LINE_BYTES_MAX, Line
from .values import Broken, read_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

HEAD_BYTES_MAX = 65_536
HEADERS_MAX = 100
_STATUS = re.compile(rb"HTTP/1\.[01] ([1-5][0-9][0-9])(?: [^\r\n]*)?\Z")
_HEADER = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n\0]*?)[ \t]*\Z")
_SIZE = re.compile(rb"([0-9A-Fa-f]{1,6})(?:;[^\r\n]*)?\Z")
_TARGET = re.compile(r"/[!-~]*\Z")
_TOKEN = re.compile(r"[A-Z]{1,20}\Z")


class Answer:
    """`status`, `headers` (lower case; several of one name joined by ", "), `body`."""

    def __init__(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.status, self.headers, self.body = status, headers, body

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")

    def json(self) -> Any:
        """The value of a JSON body, strictly read. Raises `Broken` for another status than 2xx or no such body."""
        if not 200 <= self.status < 300:
            raise Broken(f"status {self.status}")
        try:
            return read_json(self.body)
        except (ValueError, RecursionError):
            raise Broken("the body is not JSON") from None


def request_bytes(method: str, path: str, body: bytes | str, headers: Mapping[str, str]) -> bytes:
    """A whole request that asks for the connection to be closed."""
    if not _TOKEN.match(method) or not _TARGET.match(path):
        raise ValueError(f"not a request: {method} {path}")
    data = body.encode() if isinstance(body, str) else body
    fields = {"Host": "localhost", "Connection": "close", "Content-Length": str(len(data)), **headers}
    text = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"{method} {path} HTTP/1.1\r\n{text}\r\n".encode("latin-1") + data


def parse(line: Line, deadline: float, method: str) -> Answer:
    """Read one answer; anything odd is `Broken`."""
    source = _Source(line, deadline)
    while True:
        status, headers = _head(source)
        if status >= 200:
            break
        if status == 101:
            raise Broken("the service wants another protocol")
    coding, length = headers.get("transfer-encoding"), headers.get("content-length")
    if coding is not None and length is not None:
        raise Broken("an answer with two lengths")
    if method == "HEAD" or status in (204, 304):
        body = b""
    elif coding is not None:
        body = _chunks(source, coding)
    elif length is not None:
        if not re.fullmatch("[0-9]{1,7}", length):
            raise Broken("an answer whose length is no number")
        body = source.take(int(length))
    else:
        return Answer(status, headers, source.all())
    source.nothing_more()
    return Answer(status, headers, body)


def _head(source: _Source) -> tuple[int, dict[str, str]]:
    """Status and headers; a line feed alone, a folded line, a name twice for a length are refused."""
    found = _STATUS.match(source.line())
    if not found:
        raise Broken("the answer is not HTTP")
    headers: dict[str, str] = {}
    for _ in range(HEADERS_MAX + 1):
        text = source.line()
        if not text:
            return int(found[1]), headers
        pair = _HEADER.match(text)
        if not pair:
            raise Broken("a header is malformed")
        name, value = pair[1].decode("ascii").lower(), pair[2].decode("latin-1")
        if name in headers and name in ("content-length", "transfer-encoding"):
            raise Broken("an answer with two lengths")
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    raise Broken("too many headers")


def _chunks(source: _Source, coding: str) -> bytes:
    if coding.lower() != "chunked":
        raise Broken("a transfer coding that nobody knows")
    body = bytearray()
    while True:
        size = _SIZE.match(source.line())
        if not size:
            raise Broken("a chunk without a size")
        if not int(size[1], 16):
            break
        body += source.take(int(size[1], 16))
        if source.line():
            raise Broken("a chunk with another size")
    while source.line():
        pass
    return bytes(body)


class _Source:
    """Bytes of the answer in order, capped in all."""

    def __init__(self, line: Line, deadline: float) -> None:
        self.door, self.deadline = line, deadline
        self.data = bytearray()
        self.at = 0
        self.seen = 0

    def more(self) -> bool:
        chunk = self.door.take(self.deadline)
        self.seen += len(chunk)
        if self.seen > LINE_BYTES_MAX + HEAD_BYTES_MAX:
            raise Broken("the answer is too long")
        self.data += chunk
        return bool(chunk)

    def line(self) -> bytes:
        """Up to the next CR LF, without it."""
        start = self.at
        while (end := self.data.find(b"\r\n", start)) < 0:
            if len(self.data) - self.at > HEAD_BYTES_MAX:
                raise Broken("a line of the answer is too long")
            start = max(self.at, len(self.data) - 1)
            if not self.more():
                raise Broken("the answer is cut off")
        text = bytes(self.data[self.at : end])
        self.at = end + 2
        return text

    def take(self, count: int) -> bytes:
        if count > LINE_BYTES_MAX:
            raise Broken("the answer is too long")
        while len(self.data) - self.at < count:
            if not self.more():
                raise Broken("the answer is cut off")
        self.at += count
        return bytes(self.data[self.at - count : self.at])

    def all(self) -> bytes:
        while self.more():
            pass
        return bytes(self.data[self.at :])

    def nothing_more(self) -> None:
        """A second answer behind the first one is a lie about where the first one ends."""
        if len(self.data) > self.at:
            raise Broken("something comes behind the answer")
