"""A provider of streams on an event loop of its own, and many agents at once, each with bytes that no other one has."""

from __future__ import annotations

import asyncio
import hashlib
import json
import resource
import socket
import threading
from contextlib import contextmanager

import pytest

EVENTS = 12


def many_files() -> None:
    """Two open files a stream are more than the usual limit."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 4096:
        pytest.skip(f"this machine allows {hard} open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def events_of(number: int) -> list[bytes]:
    """The stream that call `number` has to get, byte for byte."""
    said = [hashlib.sha256(b"%d/%d" % (number, at)).hexdigest() * (1 + number % 3) for at in range(EVENTS)]
    parts: list[dict] = [{"model": "m", "choices": [{"delta": {"content": text}}]} for text in said]
    parts.append({"model": "m", "choices": [{"delta": {}, "finish_reason": "stop"}]})
    usage = {"prompt_tokens": 1000 + number, "completion_tokens": number, "total_tokens": 1000 + 2 * number}
    parts.append({"model": "m", "choices": [], "usage": usage})
    return [b"data: %b\n\n" % json.dumps(part).encode() for part in parts] + [b"data: [DONE]\n\n"]


class Crowd:
    """Begins every stream at once and ends none before `together` of them have begun."""

    def __init__(self, together: int) -> None:
        self._together = together
        self._begun = 0
        self.connections = 0
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)
        self._thread.start()
        assert self._ready.wait(30)

    async def _run(self) -> None:
        self._loop, self._all, self._stop = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=1024)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        self._ready.set()
        await self._stop.wait()
        server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                size = next(int(x.split(b":")[1]) for x in head.split(b"\r\n") if x.lower().startswith(b"content-len"))
                await self._stream(json.loads(await reader.readexactly(size))["n"], writer)
        except (asyncio.IncompleteReadError, OSError):
            writer.close()

    async def _stream(self, number: int, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        for at, event in enumerate(events_of(number)):
            writer.write(b"%x\r\n%b\r\n" % (len(event), event))
            await writer.drain()
            if at == 0:
                self._begun += 1
                if self._begun >= self._together:
                    self._all.set()
                await self._all.wait()
        writer.write(b"0\r\n\r\n")

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()


@contextmanager
def crowd(together: int):
    made = Crowd(together)
    try:
        yield made
    finally:
        made.close()


async def ask(connect, token: str, number: int) -> bytes:
    """One streamed call on a connection of its own: the body, chunks joined."""
    reader, writer = await connect()
    body = json.dumps({"n": number, "stream": True, "model": f"m-{number}"}).encode()
    head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
    writer.write(head.encode() + b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
    told, _, rest = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    assert told.startswith(b"HTTP/1.1 200 "), told
    parts = []
    while True:
        size, _, rest = rest.partition(b"\r\n")
        if not int(size, 16):
            assert rest == b"\r\n"
            return b"".join(parts)
        parts.append(rest[: int(size, 16)])
        rest = rest[int(size, 16) + 2 :]


async def unix(path: str):
    """A connection; a full queue of the listener is waited for."""
    while True:
        wire = socket.socket(socket.AF_UNIX)
        wire.setblocking(False)
        try:
            wire.connect(path)
        except BlockingIOError:
            wire.close()
            await asyncio.sleep(0.01)
        else:
            return await asyncio.open_unix_connection(sock=wire)
