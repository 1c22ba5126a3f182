"""A provider that answers with exactly the bytes a test gives, the gateway process, and a client on the attempt's socket."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from denominator.adapters.clock import SystemClock
from denominator.adapters.gateway.limits import RelayLimits
from denominator.adapters.gateway.proxy.settings import Settings
from denominator.adapters.gateway.relay import Relay
from denominator.records.envelopes import GatewayTerms
from denominator.records.keys import AttemptKey

KEY = "sk-canary-0123456789abcdef"
KEY_ENV = "TEST_PROVIDER_KEY"
ATTEMPT = AttemptKey("run", "t1")

Serve = Callable[[socket.socket, bytes], None]


class Provider:
    """Reads one request a connection and lets `serve` do the rest; `requests` holds heads and bodies as they came."""

    def __init__(self, serve: Serve) -> None:
        self._serve = serve
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/api/v1"
        self.requests: list[tuple[bytes, bytes]] = []
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while True:
            try:
                wire, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._one, args=(wire,), daemon=True).start()

    def _one(self, wire: socket.socket) -> None:
        with wire:
            try:
                head, body = read_request(wire)
                self.requests.append((head, body))
                self._serve(wire, body)
            except OSError:
                return

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()


def read_request(wire: socket.socket) -> tuple[bytes, bytes]:
    data = b""
    while b"\r\n\r\n" not in data:
        data += _some(wire)
    head, _, body = data.partition(b"\r\n\r\n")
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    size = int(lengths[0].split(b":")[1]) if lengths else 0
    while len(body) < size:
        body += _some(wire)
    return head, body


def _some(wire: socket.socket) -> bytes:
    data = wire.recv(65536)
    if not data:
        raise ConnectionError
    return data


def sends(*parts: bytes) -> Serve:
    """A provider that sends these bytes and closes."""

    def serve(wire: socket.socket, _: bytes) -> None:
        for part in parts:
            wire.sendall(part)

    return serve


CLOSE = "Connection: close\r\n"


def document(
    body: bytes, *, status: str = "200 OK", headers: str = "Content-Type: application/json\r\n", keep: bool = False
) -> bytes:
    """A provider that will close says so, unless a test is about one that does not."""
    said = headers if keep or "connection:" in headers.lower() else headers + CLOSE
    return f"HTTP/1.1 {status}\r\n{said}Content-Length: {len(body)}\r\n\r\n".encode() + body


KEEP_STREAM_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
STREAM_HEAD = KEEP_STREAM_HEAD[:-2] + CLOSE.encode() + b"\r\n"


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


def chat(prompt: int = 10, completion: int = 5) -> bytes:
    return json.dumps(
        {
            "model": "m-1-2026",
            "system_fingerprint": "fp",
            "choices": [{"message": {"role": "assistant", "content": "hi"}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion},
        }
    ).encode()


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: Path) -> None:
        super().__init__("relay", timeout=30)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(30)
        self.sock.connect(str(self._path))


class Guard:
    """Budgets without an end; a test may name one that refuses."""

    capped = False

    def __init__(self) -> None:
        self.refuses = ""

    def ask(self, row):
        return replace(row, outcome="gave_up", sent=False, cap_state=self.refuses) if self.refuses else row

    def settle(self, row) -> None:
        return


class World:
    """A provider, the gateway before it, one attempt."""

    def __init__(
        self, serve: Serve, folder: Path, *, endpoint="", terms=None, blobs="", output_cap=0, **limits
    ) -> None:
        self.provider = Provider(serve)
        self.seen: list = []
        self.guard = Guard()
        self.recorder = self.seen.append
        settings = Settings(
            endpoint=endpoint or self.provider.url,
            key_env=KEY_ENV,
            blobs=blobs,
            output_cap=output_cap,
            terms=terms or GatewayTerms(bodies="keep" if blobs else "digests"),
            limits=RelayLimits(**limits),
        )
        self.relay = Relay(settings, environ={KEY_ENV: KEY}, clock=SystemClock(), record=self.record, guard=self.guard)
        folder.mkdir(parents=True, exist_ok=True)
        self.lease = self.relay.open(ATTEMPT, 1, folder, uid=None)

    def record(self, *rows) -> None:
        for row in rows:
            self.recorder(row)

    def connect(self) -> UnixConnection:
        return UnixConnection(self.lease.socket)

    def post(self, body: bytes = b'{"model":"m-1"}', path="/v1/chat/completions", headers=None, wire=None):
        """(status, headers, body) of one call."""
        connection = wire or self.connect()
        given = {"Authorization": f"Bearer {self.lease.token}"} if headers is None else headers
        connection.request("POST", path, body, {"Content-Type": "application/json", **given})
        response = connection.getresponse()
        answer = response.status, dict(response.getheaders()), response.read()
        if wire is None:
            connection.close()
        return answer


@contextmanager
def world(serve: Serve, folder: Path, **limits):
    made = World(serve, folder, **limits)
    try:
        yield made
    finally:
        made.relay.shutdown()
        made.provider.close()
