"""One exchange with the provider: intent, request, answer passed on as it arrives, result."""

from __future__ import annotations

import hashlib
import http.client
from dataclasses import dataclass
from typing import Protocol

from denominator.adapters.gateway.book import Book
from denominator.adapters.gateway.headers import Headers, to_agent, to_upstream
from denominator.adapters.gateway.limits import RelayLimits
from denominator.adapters.gateway.reading import CannotReadError, Passing
from denominator.adapters.gateway.result import settled
from denominator.adapters.gateway.scrub import KeyEchoedError
from denominator.adapters.gateway.upstream import Upstream
from denominator.adapters.gateway.wires import Wires
from denominator.ports import Clock
from denominator.records.rows import CallRow
from denominator.wire.providers import Api, read_request

CHUNK = 65536


class ClientLeftError(Exception):
    """The agent closed its connection before it had the whole answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """A request of the agent. `below` is the path below /v1; `query` starts with "?" or is empty."""

    method: str
    path: str
    below: str
    query: str
    headers: Headers
    body: bytes
    api: Api


class Client(Protocol):
    """The agent's side; every method may raise `ClientLeftError`."""

    def start(self, status: int, headers: Headers, length: int | None) -> None: ...
    def write(self, data: bytes) -> None: ...
    def end(self) -> None: ...
    def refuse(self, status: int, word: str, said: str) -> None: ...


class BrokenError(Exception):
    """The answer is not whole: a word for the row, and a status for an agent that has no answer yet."""

    def __init__(self, word: str, status: int = 502) -> None:
        super().__init__(word)
        self.word = word
        self.status = status


@dataclass(slots=True)
class Progress:
    """What is known about an exchange so far."""

    sent: bool = False
    first_ns: int = 0
    response: http.client.HTTPResponse | None = None
    passing: Passing | None = None


@dataclass(frozen=True, slots=True)
class Desk:
    """What all exchanges of one attempt share."""

    book: Book
    upstream: Upstream
    clock: Clock
    limits: RelayLimits
    wires: Wires

    def intent(self, incoming: Incoming) -> CallRow:
        """Records that a call is about to be made."""
        asked = read_request(incoming.body)
        return self.book.open(
            purpose="listing" if incoming.api is Api.OTHER else "solve",
            method=incoming.method,
            path=incoming.path,
            asked_model=asked.model,
            streamed=asked.stream,
            request_bytes=len(incoming.body),
            request_sha256=hashlib.sha256(incoming.body).hexdigest(),
            started_at=self.clock.wall(),
        )

    def exchange(self, incoming: Incoming, client: Client) -> None:
        """Carries one call out. Whatever happens, its result is recorded; `ClientLeftError` is passed on."""
        row = self.intent(incoming)
        progress, started, word, left = Progress(), self.clock.mono_ns(), "", False
        try:
            self._carry_out(incoming, client, progress)
        except ClientLeftError:
            left = not self.wires.cut
            word = "client_left" if left else "attempt_ended"
            raise
        except BrokenError as error:
            word = "attempt_ended" if self.wires.cut else error.word
            if progress.passing is None:
                client.refuse(error.status, word, "the model could not be reached")
            else:
                # The answer has begun: only a connection that closes early says that it is not whole.
                raise ClientLeftError from None
        finally:
            self.book.settle(settled(row, progress, word, left, started, self.clock.mono_ns(), self.upstream))

    def _carry_out(self, incoming: Incoming, client: Client, progress: Progress) -> None:
        connection = self.upstream.connect(self.limits.connect_s)
        try:
            self._prepare(connection, incoming)
            self._send(connection, incoming, progress)
            self._pass_on(_answer(connection), incoming, client, progress)
        finally:
            if connection.sock is not None:
                self.wires.drop(connection.sock)
            if progress.response is not None:
                progress.response.close()
            connection.close()

    def _prepare(self, connection: http.client.HTTPConnection, incoming: Incoming) -> None:
        """Writes head lines, nothing goes out yet. What cannot be written is the agent's doing, no failure of the provider."""
        target = self.upstream.base + incoming.below + incoming.query
        try:
            connection.putrequest(incoming.method, target, skip_accept_encoding=True)
            for name, value in to_upstream(incoming.headers, self.upstream.key):
                connection.putheader(name, value)
        except (http.client.HTTPException, ValueError):
            raise BrokenError("bad_framing", 400) from None
        if incoming.method != "GET":
            connection.putheader("Content-Length", str(len(incoming.body)))

    def _send(self, connection: http.client.HTTPConnection, incoming: Incoming, progress: Progress) -> None:
        try:
            connection.connect()
        except OSError:
            raise BrokenError("connect_failed") from None
        self.wires.add(connection.sock)
        connection.sock.settimeout(self.limits.read_s)
        progress.sent = True
        try:
            connection.endheaders(incoming.body or None)
        except (OSError, http.client.HTTPException, ValueError):
            raise BrokenError("send_failed") from None

    def _pass_on(
        self, response: http.client.HTTPResponse, incoming: Incoming, client: Client, progress: Progress
    ) -> None:
        progress.response = response
        passing = self._passing(response, incoming)
        headers = to_agent(response.getheaders(), self.upstream.key)
        length = None if response.length is None else int(response.length)
        client.start(response.status, headers, length)
        progress.passing = passing
        try:
            while chunk := _read(response, passing.size, length):
                progress.first_ns = progress.first_ns or self.clock.mono_ns()
                client.write(passing.feed(chunk))
            client.write(passing.flush())
        except (CannotReadError, KeyEchoedError) as error:
            raise BrokenError(str(error) or "key_echoed") from None
        client.end()

    def _passing(self, response: http.client.HTTPResponse, incoming: Incoming) -> Passing:
        kind = (response.getheader("Content-Type") or "").lower()
        encoding = (response.getheader("Content-Encoding") or "").strip().lower()
        streamed = kind.startswith("text/event-stream")
        try:
            return Passing(
                incoming.api, self.upstream.key, encoding, streamed=streamed, bytes_max=self.limits.response_bytes
            )
        except CannotReadError as error:
            raise BrokenError(str(error)) from None


def _answer(connection: http.client.HTTPConnection) -> http.client.HTTPResponse:
    try:
        return connection.getresponse()
    except TimeoutError:
        raise BrokenError("timeout", 504) from None
    except (OSError, http.client.HTTPException, ValueError):
        raise BrokenError("no_answer") from None


def _read(response: http.client.HTTPResponse, have: int, length: int | None) -> bytes:
    """The bytes that are there, at the body's end none. The length is ours to watch: `read1` waits for more than it."""
    left = CHUNK if length is None else min(CHUNK, length - have)
    try:
        chunk = response.read1(left) if left else b""
        if left and not chunk and length is not None:
            raise BrokenError("response_cut")
        return chunk
    except TimeoutError:
        raise BrokenError("timeout", 504) from None
    except (OSError, http.client.HTTPException, ValueError):
        raise BrokenError("response_cut") from None
