"""The connections of one attempt that are open now, in both directions, so that its end can cut them all."""

from __future__ import annotations

import contextlib
import socket
import threading


class Wires:
    """A set of sockets. Once cut, a socket that is added is cut at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self.cut = False

    def add(self, wire: socket.socket) -> None:
        """Counts a socket in."""
        with self._lock:
            self._open.add(wire)
            cut = self.cut
        if cut:
            _shut(wire)

    def drop(self, wire: socket.socket) -> None:
        """Counts a socket out."""
        with self._lock:
            self._open.discard(wire)

    def cut_all(self) -> None:
        """Ends every transfer."""
        with self._lock:
            self.cut = True
            wires = list(self._open)
        for wire in wires:
            _shut(wire)


def _shut(wire: socket.socket) -> None:
    with contextlib.suppress(OSError):
        wire.shutdown(socket.SHUT_RDWR)
