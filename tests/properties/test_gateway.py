"""However a request and its answer are cut into pieces, the bytes and the row are the same; no bytes end the process."""

from __future__ import annotations

import gzip
import json
import socket
import threading
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from denominator.records.rows import CallRow
from unit.adapters.gateway.worlds import STREAM_HEAD, World, chat, chunk, document

EVENTS = [
    b'data: {"model":"m","choices":[{"delta":{"content":"\xc3\xa9"}}]}\r\n\r\n',
    b": keep-alive\n\n",
    b'event: x\ndata: {"choices":[{"delta":{},"finish_reason":"stop"}],\ndata: "usage":{"prompt_tokens":3,"completion_tokens":2}}\n\n',
    b"data: [DONE]\n\n",
]
ANSWERS = {
    "document": document(chat(), headers="Content-Type: application/json\r\nX-Request-Id: r\r\n"),
    "gzip": document(gzip.compress(chat(), mtime=0), headers="Content-Encoding: gzip\r\n"),
    "stream": STREAM_HEAD + b"".join(map(chunk, EVENTS)) + b"0\r\n\r\n",
    "until the end": b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
    + b"".join(EVENTS),
    "cut": STREAM_HEAD + chunk(EVENTS[0])[:-5],
    "limited": document(b'{"error":{"code":"x"}}', status="429 No", headers="Retry-After: 3\r\n"),
}
TIMES = ("started_at", "first_byte_ms", "last_byte_ms", "first_content_ms", "paused_ms", "seq")


class Room:
    """One gateway for all examples; the provider sends its pieces one by one."""

    def __init__(self, folder) -> None:
        self.pieces: list[bytes] = []
        self.world = World(self._serve, folder, request_bytes=100_000, calls=10**9)
        self.first: dict[str, tuple[bytes, CallRow]] = {}

    def _serve(self, wire: socket.socket, _: bytes) -> None:
        wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for piece in self.pieces:
            wire.sendall(piece)

    def say(self, pieces: list[bytes]) -> bytes:
        """Everything that comes back on one connection."""
        with socket.socket(socket.AF_UNIX) as wire:
            wire.settimeout(30)
            wire.connect(str(self.world.lease.socket))
            try:
                for piece in pieces:
                    wire.sendall(piece)
                got = b""
                while more := wire.recv(65536):
                    got += more
            except ConnectionError:
                return b""
            return got

    def row(self) -> CallRow:
        """The result of the one call that was made."""
        while not self.world.seen or self.world.seen[-1].outcome == "open":
            threading.Event().wait(0.001)
        return self.world.seen[-1]

    def request(self, how: str) -> bytes:
        body = json.dumps({"model": "m", "stream": True, "messages": [{"role": "user", "content": "\u00e9"}]}).encode()
        head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX: {'y' * 50}\r\n"
        head += f"Authorization: Bearer {self.world.lease.token}\r\n"
        if how == "length":
            return head.encode() + b"Content-Length: %d\r\n\r\n" % len(body) + body
        return head.encode() + b"Transfer-Encoding: chunked\r\n\r\n" + chunk(body[:9]) + chunk(body[9:]) + b"0\r\n\r\n"


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    made = Room(tmp_path_factory.mktemp("gateway"))
    yield made
    made.world.relay.shutdown()
    made.world.provider.close()


def _cut(data: bytes, at: list[int]) -> list[bytes]:
    places = sorted({0, len(data), *(place % (len(data) + 1) for place in at)})
    return [data[begin:end] for begin, end in pairwise(places)]


CUTS = st.lists(st.integers(0, 10_000), max_size=12)
SLOW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.parametrize("kind", ANSWERS)
@SLOW
@given(st.sampled_from(["length", "chunks"]), CUTS, CUTS)
def test_pieces_change_neither_bytes_nor_row(room, kind, how, asked, told):
    room.world.seen.clear()
    room.pieces = _cut(ANSWERS[kind], told)
    got = room.say(_cut(room.request(how), asked))
    seen = (_unchunked(got), replace(room.row(), **{name: getattr(CallRow, name, 0) for name in TIMES}))
    assert room.first.setdefault(kind, seen) == seen


def _unchunked(got: bytes) -> bytes:
    head, _, rest = got.partition(b"\r\n\r\n")
    if b"chunked" not in head.lower():
        return rest
    parts = []
    while rest:
        size, _, rest = rest.partition(b"\r\n")
        parts.append(rest[: int(size, 16)])
        rest = rest[int(size, 16) + 2 :]
    return b"".join(parts)


WORDS = st.sampled_from(
    [
        b"POST ",
        b"GET ",
        b"/v1/chat/completions",
        b" HTTP/1.1",
        b" HTTP/9",
        b"\r\n",
        b"\r\n\r\n",
        b"\n",
        b"Host: x\r\n",
        b"\x00",
        b"Content-Length: 5\r\n",
        b"Content-Length: 99999999999999999999\r\n",
        b"Transfer-Encoding: chunked\r\n",
        b"5\r\nhello\r\n",
        b"Expect: 100-continue\r\n",
        b"Upgrade: h2c\r\nConnection: upgrade\r\n",
        b"CONNECT x:1",
        b"0\r\n\r\n",
        b"PRI * HTTP/2.0\r\n",
        b"\xff" * 50,
        b"x" * 70_000,
        b"Authorization: Bearer @\r\n",
    ]
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(WORDS | st.binary(max_size=40), max_size=12))
def test_no_bytes_end_the_process_or_another_connection(room, parts):
    room.pieces = [ANSWERS["document"]]
    token = room.world.lease.token.encode()
    pid = room.world.relay.pid
    with socket.socket(socket.AF_UNIX) as wire:
        wire.settimeout(30)
        wire.connect(str(room.world.lease.socket))
        try:
            for part in parts:
                wire.sendall(part.replace(b"@", token))
        except ConnectionError:
            pass
    status, _, body = room.world.post()
    assert (status, body, room.world.relay.pid) == (200, chat(), pid)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        WORDS
        | st.sampled_from(["HTTP/1.1 200 OK\r\n", "HTTP/1.1 100 x\r\n\r\n"]).map(str.encode)
        | st.binary(max_size=40),
        max_size=8,
    )
)
def test_no_answer_of_a_provider_ends_the_process(room, parts):
    room.world.seen.clear()
    room.pieces = parts
    room.say([room.request("length")])
    assert room.row().sent is True
    room.pieces = [ANSWERS["document"]]
    assert room.world.post()[0] == 200
