"""The unix socket of one attempt."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from denominator.adapters.gateway.proxy.connection import Connection
from denominator.adapters.gateway.proxy.lease import Lease
from denominator.adapters.gateway.proxy.wire import Wire

SOCKET_NAME = "model.sock"
BACKLOG = 1024


class Listener:
    """Serves as many connections as the limits allow; more are closed at once."""

    def __init__(self, lease: Lease) -> None:
        self._lease = lease
        self._serving: dict[asyncio.Task[None], Wire] = {}
        self.path = Path(lease.told.folder) / SOCKET_NAME

    async def start(self) -> None:
        """Listens. Raises OSError when that cannot be."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_unix_server(
            partial(Wire, self._connected), sock=self._bound(), backlog=BACKLOG
        )

    def _bound(self) -> socket.socket:
        made = socket.socket(socket.AF_UNIX)
        try:
            with _short(self.path.parent) as place:
                made.bind(f"{place}/{SOCKET_NAME}")
                Path(place, SOCKET_NAME).chmod(0o600)
                if self._lease.told.uid >= 0:
                    os.chown(f"{place}/{SOCKET_NAME}", self._lease.told.uid, -1)
        except OSError:
            made.close()
            raise
        return made

    def _connected(self, wire: Wire) -> None:
        if self._lease.ended or len(self._serving) >= self._lease.desk.settings.limits.connections:
            wire.cut()
            return
        task = asyncio.get_running_loop().create_task(_contained(Connection(wire, self._lease), wire))
        self._serving[task] = wire
        task.add_done_callback(self._serving.pop)
        wire.on_gone = task.cancel

    async def close(self) -> None:
        """Stops listening, cuts what is open, and returns when every call is settled."""
        self._lease.ended = True
        self._server.close()
        self.path.unlink(missing_ok=True)
        serving = dict(self._serving)
        for task, wire in serving.items():
            task.cancel()
            wire.cut()
        if serving:
            await asyncio.wait(serving)
        await self._lease.quiet()


async def _contained(connection: Connection, wire: Wire) -> None:
    """A hostile agent can make any step of its own connection fail; the connection ends, the process goes on."""
    try:
        await connection.serve()
    except Exception:
        wire.cut()
    except asyncio.CancelledError:
        wire.cut()
        raise


@contextlib.contextmanager
def _short(folder: Path) -> Iterator[str]:
    """A folder's short name while it is needed: an address of a unix socket holds 107 bytes at most."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{descriptor}"
    finally:
        os.close(descriptor)
