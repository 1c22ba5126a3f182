"""The provider as an origin: h11 over TCP or TLS, connections kept for a short while. No proxies, no redirects, no retries."""

from __future__ import annotations

import asyncio
import errno
import ssl

import h11

from denominator.adapters.gateway.headers import Headers, with_key
from denominator.adapters.gateway.proxy.answers import Answer, BrokenError, Outgoing
from denominator.adapters.gateway.proxy.idle import Idle
from denominator.adapters.gateway.proxy.wire import Wire
from denominator.adapters.gateway.upstream import Upstream

HEAD_MAX = 64 * 1024
INFORMATION_MAX = 16
OURS = frozenset((errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM))
"""No connection because this machine has no room for one: nothing that a provider did."""


class HttpOrigin:
    """Asks `upstream`. A call that breaks is never sent again: whoever is paid may have it already."""

    def __init__(self, upstream: Upstream, connect_s: float) -> None:
        self._to = upstream
        self._connect_s = connect_s
        self._tls = ssl.create_default_context() if upstream.scheme == "https" else None
        self._idle: Idle[Line] = Idle()

    async def answer(self, call: Outgoing) -> Answer:
        """The head of the provider's answer; see `Origin`."""
        request = self._request(call)
        line = self._idle.take() or await self._connected()
        try:
            call.marks.sent = True
            line.send(request, call.body)
            return self._answered(await line.head(), line)
        except BaseException:
            line.wire.cut()
            raise

    def _answered(self, head: h11.Response, line: Line) -> Answer:
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in head.headers.raw_items()]
        return Answer(
            status=head.status_code, headers=headers, body=HttpBody(line, self._idle), length=_length(head, headers)
        )

    def _request(self, call: Outgoing) -> h11.Request:
        """What cannot be written is the agent's doing, no failure of the provider."""
        headers = [("Host", self._to.named), *with_key(call.headers, call.credential, self._to.key)]
        if call.method != "GET":
            headers.append(("Content-Length", str(len(call.body))))
        try:
            written = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
            target = (self._to.base + call.below + call.query).encode("ascii")
            return h11.Request(method=call.method, target=target, headers=written)
        except (h11.LocalProtocolError, UnicodeError):
            raise BrokenError("bad_framing", 400) from None

    async def _connected(self) -> Line:
        try:
            async with asyncio.timeout(self._connect_s):
                _, wire = await asyncio.get_running_loop().create_connection(
                    Wire, self._to.host, self._to.port, ssl=self._tls
                )
        except ssl.SSLCertVerificationError:
            raise BrokenError("certificate_refused") from None
        except (OSError, UnicodeError) as error:
            if isinstance(error, OSError) and error.errno in OURS:
                raise
            raise BrokenError("connect_failed") from None
        return Line(wire)

    async def close(self) -> None:
        """Ends the connections that are kept."""
        self._idle.close()


class Line:
    """One connection to the provider, one call at a time."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self._http = h11.Connection(h11.CLIENT, max_incomplete_event_size=HEAD_MAX)
        self._over = False

    def send(self, request: h11.Request, body: bytes) -> None:
        """Writes everything at once: the body is in memory anyway, and an answer may come before all of it is out."""
        head = self._http.send(request) or b""
        packed = (self._http.send(h11.Data(data=body)) if body else b"") or b""
        end = self._http.send(h11.EndOfMessage()) or b""
        try:
            self.wire.put(head + packed + end)
        except OSError:
            raise BrokenError("send_failed") from None

    async def head(self) -> h11.Response:
        """The head of the final answer."""
        try:
            for _ in range(INFORMATION_MAX):
                event = await self._next()
                if isinstance(event, h11.Response):
                    return event
                if not isinstance(event, h11.InformationalResponse) or event.status_code == 101:
                    break
        except (OSError, h11.RemoteProtocolError):
            pass
        raise BrokenError("send_failed" if self.wire.unsent else "no_answer")

    async def _next(self) -> object:
        while (event := self._http.next_event()) is h11.NEED_DATA:
            self._http.receive_data(await self.wire.read())
        return event

    async def some(self) -> bytes:
        """The bytes of the body that are there; at its end none."""
        parts: list[bytes] = []
        try:
            event = h11.EndOfMessage() if self._over else await self._next()
            while isinstance(event, h11.Data):
                parts.append(bytes(event.data))
                event = self._http.next_event()
            self._over = event is not h11.NEED_DATA
        except (OSError, h11.RemoteProtocolError):
            if not parts:
                raise BrokenError("response_cut") from None
        return b"".join(parts)

    def again(self) -> bool:
        """Makes the connection ready for another call, when both sides are through with this one and nothing came after it."""
        try:
            if self._http.trailing_data[0] or not self.wire.quiet:
                return False
            self._http.start_next_cycle()
            self._over = False
        except h11.ProtocolError:
            return False
        return True


class HttpBody:
    """The body of an answer; its end gives the connection back."""

    def __init__(self, line: Line, idle: Idle[Line]) -> None:
        self._line: Line | None = line
        self._idle = idle

    def __aiter__(self) -> HttpBody:
        return self

    async def __anext__(self) -> bytes:
        if self._line is None:
            raise StopAsyncIteration
        if data := await self._line.some():
            return data
        line, self._line = self._line, None
        if line.again():
            self._idle.give(line)
        else:
            line.wire.cut()
        raise StopAsyncIteration

    async def aclose(self) -> None:
        """Cuts the connection when the body was not read to its end."""
        if self._line is not None:
            self._line.wire.cut()
            self._line = None


def _length(head: h11.Response, headers: Headers) -> int | None:
    named = {name.lower(): value for name, value in headers}
    if "transfer-encoding" in named or head.status_code in (204, 304):
        return None
    return int(named["content-length"]) if "content-length" in named else None
