"""The real key reaches the provider and nothing else: not the agent, not a row, not an error."""

from __future__ import annotations

import gzip
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.adapters.gateway.scrub import KeyEchoedError, Scrubber
from denominator.adapters.gateway.upstream import read_upstream
from unit.adapters.gateway.worlds import KEY, STREAM_HEAD, chunk, document, sends, world

_ERROR = json.dumps({"error": {"type": f"bad {KEY}", "message": f"Incorrect key {KEY}"}}).encode()
_USAGE = json.dumps({"model": KEY, "usage": {"prompt_tokens": 1, "x": KEY}, "system_fingerprint": KEY}).encode()
_GZIP = "Content-Type: application/json\r\nContent-Encoding: gzip\r\n"

ECHOES = {
    "error body": sends(document(_ERROR, status="401 Unauthorized")),
    "facts": sends(document(_USAGE)),
    "headers": sends(document(b"{}", headers=f"X-Request-Id: {KEY}\r\nRetry-After: {KEY}\r\nX-Auth: a {KEY} b\r\n")),
    "split chunks": sends(STREAM_HEAD, *(chunk(KEY[at : at + 3].encode()) for at in range(0, 30, 3)), b"0\r\n\r\n"),
    "gzip": sends(document(gzip.compress(b"x" * 50 + KEY.encode() + b"y" * 5000), headers=_GZIP)),
    "gzip after gzip": sends(document(gzip.compress(b"{}") + gzip.compress(KEY.encode()), headers=_GZIP)),
    "status line": sends(f"HTTP/1.1 500 {KEY}\r\nContent-Length: 0\r\n\r\n".encode()),
}


def _whole(w) -> bytes:
    """Everything that one call puts on the agent's socket, decompressed too."""
    import socket

    with socket.socket(socket.AF_UNIX) as wire:
        wire.settimeout(30)
        wire.connect(str(w.lease.socket))
        head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {w.lease.token}\r\n"
        wire.sendall(head.encode() + b"Connection: close\r\nContent-Length: 2\r\n\r\n{}")
        got = b""
        while more := wire.recv(65536):
            got += more
    return got


@pytest.mark.parametrize("how", ECHOES)
def test_an_echoed_key_is_kept_from_the_agent_and_from_the_rows(tmp_path, how):
    with world(ECHOES[how], tmp_path) as w:
        got = _whole(w)
        w.lease.close()
        assert KEY.encode() in w.provider.requests[0][0]
    assert got
    assert KEY.encode() not in got
    assert KEY.encode() not in _gunzipped(got)
    assert KEY not in repr(w.seen)
    assert KEY not in repr(read_upstream("http://127.0.0.1:1/v1", "K", {"K": KEY}))


def _gunzipped(got: bytes) -> bytes:
    import zlib

    body, plain = got.partition(b"\r\n\r\n")[2], b""
    while body:
        unzip = zlib.decompressobj(47)
        try:
            plain += unzip.decompress(body)
        except zlib.error:
            break
        body = unzip.unused_data
    return plain


def test_an_echo_is_recorded(tmp_path):
    with world(ECHOES["facts"], tmp_path) as w:
        w.post()
        (row,) = w.lease.close()
    assert row.error == "key_echoed"
    assert row.served_model == "*" * len(KEY)


@given(
    st.lists(st.sampled_from([b"sk-", b"key12345", b"sk-key12345", b"s", b"sk", b"-key", b"12345", b"x"]), max_size=12)
)
def test_no_cut_lets_a_plain_key_through(parts):
    key = "sk-key12345"
    scrubber = Scrubber(key, encoded=False)
    out = b"".join(scrubber.feed(part, part) for part in parts) + scrubber.flush()
    whole = b"".join(parts)
    assert out == whole.replace(key.encode(), b"*" * len(key))
    assert scrubber.echoed is (key.encode() in whole)


@settings(max_examples=400)
@given(st.lists(st.sampled_from([b"sk-", b"key12345", b"s", b"sk", b"-key", b"12345", b"x"]), max_size=12))
def test_no_cut_lets_a_packed_key_through(parts):
    key = "sk-key12345"
    scrubber = Scrubber(key, encoded=True)
    out = b""
    try:
        for part in parts:
            out += scrubber.feed(part, part)
        out += scrubber.flush()
    except KeyEchoedError:
        # At most three bytes of the echo itself had gone out.
        whole = b"".join(parts)
        assert whole.startswith(out)
        assert len(out) <= whole.index(key.encode()) + 3
        return
    assert out == b"".join(parts)
    assert key.encode() not in out


def test_an_endpoint_without_keys_gets_no_credential(tmp_path):
    assert read_upstream("http://127.0.0.1:1/v1", "", {}).key == ""
