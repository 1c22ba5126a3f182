"""What is written to the agent: status, headers, a body by length or in chunks."""

from __future__ import annotations

import json
from collections.abc import Callable
from http.client import responses
from http.server import BaseHTTPRequestHandler

from denominator.adapters.gateway.exchange import ClientLeftError
from denominator.adapters.gateway.headers import Headers


class AgentSide:
    """One answer on one connection (`exchange.Client`)."""

    def __init__(self, handler: BaseHTTPRequestHandler) -> None:
        self._http = handler
        self._chunked = False
        self.started = False

    def start(self, status: int, headers: Headers, length: int | None) -> None:
        """Status line and headers. Without a length the body goes in chunks, to HTTP/1.0 until the connection's end."""
        http = self._http
        bodiless = status in (204, 304)
        self.started = True
        self._chunked = length is None and not bodiless and http.request_version == "HTTP/1.1"
        if length is None and not bodiless and not self._chunked:
            http.close_connection = True
        # Our own word for the status: the provider's is free text.
        http.send_response_only(status, responses.get(status, "Other"))
        for name, value in headers:
            http.send_header(name, value)
        if length is not None and not bodiless:
            http.send_header("Content-Length", str(length))
        if self._chunked:
            http.send_header("Transfer-Encoding", "chunked")
        if http.close_connection:
            http.send_header("Connection", "close")
        _guarded(http.end_headers)

    def write(self, data: bytes) -> None:
        """Bytes of the body, passed on at once."""
        if data:
            framed = b"%x\r\n%b\r\n" % (len(data), data) if self._chunked else data
            _guarded(lambda: self._http.wfile.write(framed))

    def end(self) -> None:
        """The end of the body."""
        if self._chunked:
            _guarded(lambda: self._http.wfile.write(b"0\r\n\r\n"))

    def refuse(self, status: int, word: str, said: str) -> None:
        """A whole answer of our own, in the providers' shape."""
        body = json.dumps({"error": {"message": said, "type": word, "code": word}}).encode()
        self.start(status, [("Content-Type", "application/json")], len(body))
        self.write(body)
        self.end()


def _guarded(act: Callable[[], object]) -> None:
    try:
        act()
    except (OSError, ValueError):
        raise ClientLeftError from None
