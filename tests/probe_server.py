"""A loopback server that does with each connection what a script says, and remembers what it was asked."""

from __future__ import annotations

import json
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Content-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"


@dataclass
class Asked:
    """One connection: what came over it."""

    head: bytes = b""
    body: bytes = b""

    @property
    def json(self):
        return json.loads(self.body)


@dataclass
class Conn:
    """The server's side of one connection, with the few things that scripts do."""

    sock: socket.socket
    closing: threading.Event
    asked: Asked = field(default_factory=Asked)

    def read_request(self) -> Asked:
        raw = b""
        while b"\r\n\r\n" not in raw:
            raw += self._some()
        head, _, body = raw.partition(b"\r\n\r\n")
        lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        length = int(lengths[0].split(b":")[1])
        self.asked.head = head
        while len(body) < length:
            body += self._some()
        self.asked.body = body
        return self.asked

    def _some(self) -> bytes:
        if not (data := self.sock.recv(65536)):
            raise ConnectionError
        return data

    def send(self, *parts: bytes, pause: float = 0.0) -> None:
        for place, part in enumerate(parts):
            if place and pause:
                self.sleep(pause)
            self.sock.sendall(part)

    def drip(self, part: bytes, every: float = 0.02) -> None:
        """The same bytes for ever."""
        while not self.closing.is_set():
            self.sock.sendall(part)
            self.sleep(every)

    def sleep(self, seconds: float) -> None:
        self.closing.wait(seconds)

    def hang(self) -> None:
        self.closing.wait(30)

    def reset(self) -> None:
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.sock.close()


Script = Callable[[Conn], None]


class ScriptedServer:
    """`with ScriptedServer(script) as server`: `script` is called for every connection. `tls` wraps it."""

    def __init__(self, script: Script, tls: ssl.SSLContext | None = None) -> None:
        self.script, self.tls = script, tls
        self.asked: list[Asked] = []
        self.peers: list[int] = []
        self.closing = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.listener.getsockname()[1]
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> ScriptedServer:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        with suppress(OSError):
            # A thread that waits in accept would keep the port open.
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def _accept(self) -> None:
        while not self.closing.is_set():
            try:
                sock, peer = self.listener.accept()
            except OSError:
                return
            self.peers.append(peer[1])
            threading.Thread(target=self._serve, args=(sock,), daemon=True).start()

    def _serve(self, sock: socket.socket) -> None:
        with suppress(OSError):
            if self.tls:
                sock = self.tls.wrap_socket(sock, server_side=True)
            conn = Conn(sock, self.closing)
            self.asked.append(conn.asked)
            try:
                self.script(conn)
            finally:
                with suppress(OSError):
                    sock.close()


def answer(body: bytes, *, status: str = "200 OK", kind: str = "application/json", extra: bytes = b"") -> bytes:
    """A whole answer with a length."""
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n".encode()
    return head + extra + b"\r\n" + body


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def event(text: str) -> bytes:
    return chunk(f"data: {text}\n\n".encode())


def says(text: str = "OK.", **fields: object) -> bytes:
    """A whole answer of a conformant endpoint."""
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop", "logprobs": None}
        ],
        "usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5},
        **fields,
    }
    return answer(json.dumps(body).encode())


def within(seconds: float, done: Callable[[], bool]) -> bool:
    """Waits until something holds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if done():
            return True
        time.sleep(0.01)
    return False
