"""The unix socket of one attempt and the threads that serve it."""

from __future__ import annotations

import contextlib
import os
import socket
import socketserver
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from denominator.adapters.gateway.exchange import Desk
from denominator.adapters.gateway.server import Handler

SOCKET_NAME = "model.sock"
POLL_S = 0.05


class Listener(socketserver.UnixStreamServer):
    """Serves connections on threads of its own, as many as the limits allow; more are closed at once."""

    request_queue_size = 128

    def __init__(self, folder: Path, uid: int | None, desk: Desk, token: str) -> None:
        self.desk = desk
        self.token = token
        self._threads: set[threading.Thread] = set()
        self._room = threading.BoundedSemaphore(desk.limits.connections)
        self.path = folder / SOCKET_NAME
        with _short(folder) as place:
            super().__init__(f"{place}/{SOCKET_NAME}", Handler)
            Path(place, SOCKET_NAME).chmod(0o600)
            if uid is not None:
                os.chown(f"{place}/{SOCKET_NAME}", uid, -1)
        self._main = threading.Thread(target=self.serve_forever, args=(POLL_S,), daemon=True, name="model-relay")
        self._main.start()

    def process_request(self, request: object, client_address: object) -> None:
        """One thread a connection."""
        assert isinstance(request, socket.socket)
        if not self._room.acquire(blocking=False):
            self.shutdown_request(request)
            return
        self.desk.wires.add(request)
        thread = threading.Thread(target=self._serve, args=(request, client_address), daemon=True)
        self._threads.add(thread)
        thread.start()

    def _serve(self, request: socket.socket, client_address: object) -> None:
        try:
            self.finish_request(request, client_address)
        # A hostile agent can make any step of its own connection fail; the connection ends, the relay goes on.
        except Exception:
            return
        finally:
            self.desk.wires.drop(request)
            self.shutdown_request(request)
            self._room.release()
            self._threads.discard(threading.current_thread())

    def end(self, within_s: float) -> None:
        """Stops listening, cuts what is open, waits for the threads."""
        self.shutdown()
        self.desk.wires.cut_all()
        deadline = time.monotonic() + within_s
        for thread in [self._main, *self._threads]:
            thread.join(max(0.0, deadline - time.monotonic()))
        self.server_close()
        self.path.unlink(missing_ok=True)


@contextlib.contextmanager
def _short(folder: Path) -> Iterator[str]:
    """A folder's short name while it is needed: an address of a unix socket holds 107 bytes at most."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{descriptor}"
    finally:
        os.close(descriptor)
