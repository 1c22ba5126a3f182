"""Requests of the agent: read whole, or refused by a word. Two ways to say where a body ends are how requests are smuggled."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import h11

from denominator.adapters.gateway.headers import Headers
from denominator.adapters.gateway.limits import RelayLimits
from denominator.adapters.gateway.proxy.wire import Wire

HEAD_MAX = 64 * 1024


class RefusedError(Exception):
    """A request that cannot be read; after it the connection is closed. `method` and `path` as far as they are known."""

    def __init__(self, word: str, status: int, method: str = "", path: str = "") -> None:
        super().__init__(word)
        self.word = word
        self.status = status
        self.method = method
        self.path = path


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """A request of the agent. `query` starts with "?" or is empty."""

    method: str
    path: str
    query: str
    headers: Headers
    body: bytes


@dataclass(slots=True)
class Held:
    """Bytes of requests that one attempt has in memory."""

    max: int
    size: int = 0


class Requests:
    """The requests on one connection, one after the other. The caller gives the bytes of each back (`let_go`)."""

    def __init__(self, http: h11.Connection, wire: Wire, limits: RelayLimits, held: Held) -> None:
        self._http = http
        self._wire = wire
        self._limits = limits
        self._held = held
        self._mine = 0

    async def next(self) -> Incoming | None:
        """The next request, None when there is none any more. Raises `RefusedError`."""
        try:
            head = await self._event()
        except TimeoutError:
            return None
        except h11.RemoteProtocolError as error:
            raise RefusedError("bad_request", 431 if error.error_status_hint == 431 else 400) from None
        if not isinstance(head, h11.Request):
            return None
        return await self._whole(head)

    async def _whole(self, head: h11.Request) -> Incoming:
        method, target = head.method.decode("ascii"), head.target.decode("ascii")
        path, sign, query = target.partition("?")
        try:
            headers = _headers(head)
            body = await self._body(headers)
        except RefusedError as error:
            raise RefusedError(error.word, error.status, method, path) from None
        except h11.RemoteProtocolError:
            raise RefusedError("bad_framing", 400, method, path) from None
        except TimeoutError:
            raise RefusedError("too_slow", 408, method, path) from None
        return Incoming(method=method, path=path, query=sign + query, headers=headers, body=body)

    async def _body(self, headers: Headers) -> bytes:
        if any(name.lower() == "content-length" and int(value) > self._limits.request_bytes for name, value in headers):
            raise RefusedError("too_large", 413)
        if self._http.they_are_waiting_for_100_continue:
            go_on = h11.InformationalResponse(status_code=100, headers=[], reason="Continue")
            self._wire.put(self._http.send(go_on) or b"")
        parts: list[bytes] = []
        while not isinstance(event := await self._event(), h11.EndOfMessage):
            if not isinstance(event, h11.Data):
                raise RefusedError("bad_framing", 400)
            self._hold(len(event.data))
            parts.append(bytes(event.data))
        return b"".join(parts)

    def _hold(self, size: int) -> None:
        self._mine += size
        self._held.size += size
        if self._mine > self._limits.request_bytes:
            raise RefusedError("too_large", 413)
        if self._held.size > self._held.max:
            raise RefusedError("too_much_at_once", 429)

    def let_go(self) -> None:
        """The request is not in memory any more."""
        self._held.size -= self._mine
        self._mine = 0

    async def _event(self) -> object:
        while (event := self._http.next_event()) is h11.NEED_DATA:
            # An agent that stays silent is let go.
            async with asyncio.timeout(self._limits.idle_s):
                data = await self._wire.read()
            self._http.receive_data(data)
        return event


def _headers(head: h11.Request) -> Headers:
    headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in head.headers.raw_items()]
    named = {name.lower() for name, _ in headers}
    if {"content-length", "transfer-encoding"} <= named:
        raise RefusedError("bad_framing", 400)
    return headers
