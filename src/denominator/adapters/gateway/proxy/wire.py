"""One connection on the event loop: bytes in, bytes out, neither side buffered without bound."""

from __future__ import annotations

import asyncio
import contextlib
import select
import socket
from collections.abc import Callable
from typing import cast

HELD_MAX = 256 * 1024
"""Bytes that arrived and were not read yet; past it the other side has to wait."""


class Wire(asyncio.Protocol):
    """`on_open` gets the wire when it is connected, `on_gone` is called when the other side has closed or is lost."""

    def __init__(
        self, on_open: Callable[[Wire], None] | None = None, on_gone: Callable[[], object] | None = None
    ) -> None:
        self._on_open = on_open
        self.on_gone = on_gone
        self._in: list[bytes] = []
        self._size = 0
        self._reading = True
        self._reader: asyncio.Future[None] | None = None
        self._drained: asyncio.Future[None] | None = None
        self.ended = False
        self.lost = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Any byte that is not out yet counts as unsent, so that `unsent` tells the truth."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.set_write_buffer_limits(high=0)
        if self._on_open is not None:
            self._on_open(self)

    def data_received(self, data: bytes) -> None:
        """Keeps the bytes for `read`."""
        self._in.append(data)
        self._size += len(data)
        if self._size > HELD_MAX and self._reading:
            self._reading = False
            self._transport.pause_reading()
        self._wake()

    def eof_received(self) -> None:
        """Returning nothing closes our half too, once what was written is out."""
        self._end()

    def connection_lost(self, _exc: Exception | None) -> None:
        """Whoever waits learns of it."""
        self.lost = True
        self._end()
        if self._drained is not None and not self._drained.done():
            self._drained.set_result(None)

    def _end(self) -> None:
        first, self.ended = not self.ended, True
        self._wake()
        if first and self.on_gone is not None:
            self.on_gone()

    def pause_writing(self) -> None:
        """The other side takes its time."""
        self._drained = asyncio.get_running_loop().create_future()

    def resume_writing(self) -> None:
        """Everything is out."""
        drained, self._drained = self._drained, None
        if drained is not None and not drained.done():
            drained.set_result(None)

    def _wake(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def read(self) -> bytes:
        """The bytes that are there, as soon as there are any; b"" at the end. One reader at a time."""
        while not self._in and not self.ended:
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        return self.take()

    def take(self) -> bytes:
        """The bytes that are there now."""
        data = self._in[0] if len(self._in) == 1 else b"".join(self._in)
        self._in.clear()
        self._size = 0
        if not self._reading and not self.lost:
            self._reading = True
            self._transport.resume_reading()
        return data

    def put(self, data: bytes) -> None:
        """Sends without waiting. Raises ConnectionResetError when there is nobody any more."""
        if self.lost or self._transport.is_closing():
            raise ConnectionResetError
        if data:
            self._transport.write(data)

    async def write(self, data: bytes) -> None:
        """Sends, and waits while the other side is slower than we are."""
        self.put(data)
        if self._drained is not None:
            await asyncio.shield(self._drained)
            if self.lost:
                raise ConnectionResetError

    @property
    def unsent(self) -> bool:
        """Is there something written that is not out? Stays true when the connection was lost with it."""
        return self._drained is not None

    @property
    def quiet(self) -> bool:
        """Alive and nothing came, not even what the loop has not looked at yet."""
        if self.ended or self._in or self.unsent or self._transport.is_closing():
            return False
        poll = select.poll()
        poll.register(cast(socket.socket, self._transport.get_extra_info("socket")).fileno(), select.POLLIN)
        return not poll.poll(0)

    def close(self) -> None:
        """Ends the connection; what was written still goes out."""
        self._transport.close()

    def cut(self) -> None:
        """Ends the connection now."""
        self._transport.abort()

    async def part(self, within_s: float, bytes_max: int) -> None:
        """Ends the connection so that the other side can still read what we said: closing over unread bytes resets it."""
        try:
            async with asyncio.timeout(within_s):
                with contextlib.suppress(OSError, NotImplementedError):
                    self._transport.write_eof()
                while bytes_max > 0 and (data := await self.read()):
                    bytes_max -= len(data)
        except TimeoutError:
            pass
        finally:
            self.close()
