"""What is written to the agent: status, headers, a body by length or in chunks."""

from __future__ import annotations

import asyncio
import json
from http.client import responses

import h11

from denominator.adapters.gateway.headers import Headers
from denominator.adapters.gateway.proxy.wire import Wire


class ClientLeftError(Exception):
    """The agent closed its connection, or took nothing for too long, before it had the whole answer."""


class AgentSide:
    """One answer on one connection. Every method that sends may raise `ClientLeftError`."""

    def __init__(self, http: h11.Connection, wire: Wire, idle_s: float) -> None:
        self._http = http
        self._wire = wire
        self._idle_s = idle_s
        self.started = False

    async def start(self, status: int, headers: Headers, length: int | None) -> None:
        """Status line and headers. Without a length the body goes in chunks, to HTTP/1.0 until the connection's end."""
        sized = [] if length is None or status in (204, 304) else [("Content-Length", str(length))]
        # Our own word for the status: the provider's is free text.
        reason = responses.get(status, "Other")
        head = h11.Response(
            status_code=status,
            headers=[(n.encode("latin-1"), v.encode("latin-1")) for n, v in [*headers, *sized]],
            reason=reason,
        )
        self.started = True
        await self._send(self._http.send(head))

    async def write(self, data: bytes) -> None:
        """Bytes of the body, passed on at once."""
        if data:
            await self._send(self._http.send(h11.Data(data=data)))

    async def end(self) -> None:
        """The end of the body."""
        await self._send(self._http.send(h11.EndOfMessage()))

    async def _send(self, data: bytes | None) -> None:
        if not data:
            return
        try:
            self._wire.put(data)
            if self._wire.unsent:
                async with asyncio.timeout(self._idle_s):
                    await self._wire.write(b"")
        except OSError:
            raise ClientLeftError from None

    async def refuse(self, status: int, word: str, said: str) -> None:
        """A whole answer of our own, in the providers' shape; clients do not try again what is an invalid request."""
        kind = "invalid_request_error" if status == 400 else word
        told = {"type": "error", "error": {"message": said, "type": kind, "code": word}}
        body = json.dumps(told).encode()
        await self.start(status, [("Content-Type", "application/json")], len(body))
        await self.write(body)
        await self.end()
