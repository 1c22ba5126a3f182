"""A connection to a server through a middleman that can cut it at a COMMIT, before the server has it or before its answer."""

from __future__ import annotations

import selectors
import socket
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

ENDS = (b"COMMIT\0", b"INTO denominator.claims")
READY = b"Z\0\0\0\x05"
"""The server has done all that it was asked."""


@dataclass
class Middleman:
    """Listens on a unix socket of its own in `folder`, on the server's port. `cut` is armed once: "before" or "after"."""

    folder: Path
    server: Path
    port: int
    cut: str = ""
    cuts: int = 0
    conns: list[socket.socket] = field(default_factory=list)

    def __enter__(self) -> Middleman:
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(self.folder / f".s.PGSQL.{self.port}"))
        self.listener.listen()
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        # A thread in accept() is not woken by close() alone.
        with suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for conn in self.conns:
            conn.close()

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            server.connect(str(self.server / f".s.PGSQL.{self.port}"))
            self.conns += [client, server]
            threading.Thread(target=self._carry, args=(client, server), daemon=True).start()

    def _carry(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError), selectors.DefaultSelector() as ready:
            for one in (client, server):
                ready.register(one, selectors.EVENT_READ)
            held: bytes | None = None
            while True:
                for key, _ in ready.select():
                    data = key.fileobj.recv(1 << 16)  # type: ignore[union-attr]
                    if key.fileobj is client and self.cut and any(word in data for word in ENDS):
                        how, self.cut = self.cut, ""
                        self.cuts += 1
                        held = b"" if how == "after" else None
                        data = data if how == "after" else b""
                    if key.fileobj is server and held is not None:
                        held += data
                        data = b"" if READY in held else data
                    if not data:
                        client.close()
                        server.close()
                        return
                    if key.fileobj is client:
                        server.sendall(data)
                    elif held is None:
                        client.sendall(data)
