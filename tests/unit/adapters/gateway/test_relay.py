"""The relay passes bytes on unchanged and records every exchange."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import socket
import stat
import threading
import zlib
from concurrent.futures import ThreadPoolExecutor

import pytest

from denominator.errors import InputError
from denominator.records.values import NotMeasured
from denominator.wire.providers import sum_usage
from unit.adapters.gateway.worlds import (
    ATTEMPT,
    KEY,
    STREAM_HEAD,
    chat,
    chunk,
    document,
    sends,
    world,
)


def test_a_whole_answer_passes_and_is_recorded_before_and_after(tmp_path):
    with world(sends(document(chat(), headers="X-Request-Id: r-9\r\nX-Odd: 1\r\n")), tmp_path) as w:
        status, headers, body = w.post(b'{"model":"m-1","messages":[]}')
        assert (status, body) == (200, chat())
        assert headers["X-Odd"] == "1"
        head, sent = w.provider.requests[0]
        rows = w.lease.close()
    assert sent == b'{"model":"m-1","messages":[]}'
    assert head.startswith(b"POST /api/v1/chat/completions HTTP/1.1\r\n")
    assert f"authorization: bearer {KEY}".encode() in head.lower()
    assert w.lease.token.encode() not in head
    intent, result = w.seen
    assert (intent.outcome, intent.seq, intent.asked_model, intent.key) == ("open", 1, "m-1", ATTEMPT)
    assert isinstance(intent.status, NotMeasured)
    assert rows == [result]
    assert (result.outcome, result.status, result.sent, result.finish) == ("ok", 200, True, "stop")
    assert (result.served_model, result.fingerprint, result.request_id) == ("m-1-2026", "fp", "r-9")
    assert (result.usage.prompt, result.usage.completion) == (10, 5)
    assert result.usage_convention == "openai_chat"
    assert json.loads(result.usage_raw)["total_tokens"] == 15
    assert result.request_sha256 == hashlib.sha256(sent).hexdigest()
    assert result.response_sha256 == hashlib.sha256(body).hexdigest()
    assert (result.request_bytes, result.response_bytes) == (len(sent), len(body))
    assert result.first_byte_ms <= result.last_byte_ms


def test_a_stream_passes_as_it_arrives(tmp_path):
    first = b'data: {"model":"m","choices":[{"delta":{"content":"a"}}]}\n\n'
    rest = b'data: {"model":"m","choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,'
    rest += b'"completion_tokens":2}}\n\ndata: [DONE]\n\n'
    had_first = threading.Event()

    def serve(wire: socket.socket, _: bytes) -> None:
        wire.sendall(STREAM_HEAD + chunk(first))
        # The rest is only sent once the agent has the beginning, so a relay that waits for the end never ends.
        assert had_first.wait(30)
        wire.sendall(chunk(rest) + b"0\r\n\r\n")

    with world(serve, tmp_path) as w:
        connection = w.connect()
        connection.request(
            "POST", "/v1/chat/completions", b'{"stream":true}', {"Authorization": f"Bearer {w.lease.token}"}
        )
        response = connection.getresponse()
        assert response.read1() == first
        had_first.set()
        assert response.read() == rest
        connection.close()
        (row,) = w.lease.close()
    assert (row.outcome, row.final_event, row.streamed, row.usage_source) == ("ok", True, True, "provider_stream_last")
    assert (row.usage.prompt, row.usage.completion) == (3, 2)


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_a_compressed_answer_passes_unchanged_and_is_read(tmp_path, encoding):
    packed = gzip.compress(chat()) if encoding == "gzip" else zlib.compress(chat())
    head = f"Content-Type: application/json\r\nContent-Encoding: {encoding}\r\n"
    with world(sends(document(packed, headers=head)), tmp_path) as w:
        token = {"Authorization": f"Bearer {w.lease.token}", "Accept-Encoding": "br, gzip"}
        _, headers, body = w.post(headers=token)
        (row,) = w.lease.close()
        assert b"accept-encoding: gzip\r\n" in w.provider.requests[0][0].lower() + b"\r\n"
    assert body == packed
    assert headers["Content-Encoding"] == encoding
    assert row.usage.prompt == 10
    assert row.response_sha256 == hashlib.sha256(packed).hexdigest()


def test_one_connection_carries_many_calls(tmp_path):
    with world(sends(document(chat())), tmp_path) as w:
        connection = w.connect()
        assert [w.post(wire=connection)[0] for _ in range(3)] == [200, 200, 200]
        connection.close()
        rows = w.lease.close()
    assert [row.seq for row in rows] == [1, 2, 3]
    assert sum_usage(rows).prompt == 30


def test_many_calls_at_once_are_not_mixed_up(tmp_path):
    def serve(wire: socket.socket, body: bytes) -> None:
        n = json.loads(body)["n"]
        wire.sendall(document(chat(prompt=n, completion=n)))

    with world(serve, tmp_path) as w, ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda n: w.post(json.dumps({"n": n}).encode())[2], range(1, 81)))
        rows = w.lease.close()
    assert [json.loads(a)["usage"]["prompt_tokens"] for a in answers] == list(range(1, 81))
    assert sorted(row.usage.prompt for row in rows) == list(range(1, 81))
    assert [row.seq for row in rows] == list(range(1, 81))
    assert len(w.seen) == 160


def test_a_chunked_request_is_sent_with_its_length(tmp_path):
    with world(sends(document(chat())), tmp_path) as w:
        connection = w.connect()
        connection.request(
            "POST",
            "/v1/chat/completions",
            iter([b'{"model":', b'"m-1"}']),
            {"Authorization": f"Bearer {w.lease.token}"},
            encode_chunked=True,
        )
        assert connection.getresponse().status == 200
        connection.close()
        head, body = w.provider.requests[0]
    assert body == b'{"model":"m-1"}'
    assert b"transfer-encoding" not in head.lower()


def test_anthropic_calls_keep_their_header_and_their_query(tmp_path):
    usage = {"input_tokens": 4, "cache_read_input_tokens": 6, "cache_creation_input_tokens": 1, "output_tokens": 2}
    answer = json.dumps({"model": "c", "stop_reason": "end_turn", "usage": usage}).encode()
    with world(sends(document(answer)), tmp_path) as w:
        headers = {"x-api-key": w.lease.token, "anthropic-version": "2023-06-01"}
        assert w.post(path="/v1/messages?beta=true", headers=headers)[0] == 200
        (row,) = w.lease.close()
        head = w.provider.requests[0][0].lower()
    assert head.startswith(b"post /api/v1/messages?beta=true ")
    assert f"x-api-key: {KEY}".encode() in head
    assert b"anthropic-version: 2023-06-01" in head
    assert (row.usage.prompt, row.usage.completion, row.path) == (11, 2, "/v1/messages")


def test_a_list_of_models_is_recorded_and_spends_nothing(tmp_path):
    with world(sends(document(b'{"data":[]}')), tmp_path) as w:
        connection = w.connect()
        connection.request("GET", "/v1/models", headers={"Authorization": f"Bearer {w.lease.token}"})
        assert connection.getresponse().status == 200
        connection.close()
        (row,) = w.lease.close()
    assert (row.purpose, row.method) == ("listing", "GET")
    assert sum_usage([row]).complete is True


def test_the_socket_is_the_agents_alone(tmp_path):
    with world(sends(b""), tmp_path) as w:
        mode = w.lease.socket.stat()
        assert stat.S_IMODE(mode.st_mode) == 0o600
        assert mode.st_uid == os.getuid()
        w.lease.close()
        assert not w.lease.socket.exists()


@pytest.mark.skipif(os.getuid() != 0, reason="only root may give a socket away")
def test_the_socket_can_be_given_to_the_sandbox_uid(tmp_path):
    with world(sends(b""), tmp_path) as w:
        (tmp_path / "b").mkdir()
        lease = w.relay.open(ATTEMPT, 2, tmp_path / "b", uid=61001)
        assert lease.socket.stat().st_uid == 61001


def test_a_folder_with_a_long_name_will_do(tmp_path):
    deep = tmp_path / ("x" * 100) / ("y" * 100)
    with world(sends(document(chat())), deep) as w:
        short = os.open(deep, os.O_RDONLY)
        w.lease.socket = type(tmp_path)(f"/proc/self/fd/{short}/model.sock")
        assert w.post()[0] == 200
        os.close(short)


@pytest.mark.parametrize(
    ("url", "key", "what"),
    [
        ("ftp://x/v1", KEY, "plain http or https"),
        ("http://user:pw@x/v1", KEY, "plain http or https"),
        ("http://x/v1?key=1", KEY, "plain http or https"),
        ("none", KEY, "plain http or https"),
        ("http://x:99999/v1", KEY, "plain http or https"),
        ("http://x/v1", "", "holds no key"),
        ("http://x/v1", "short", "holds no key"),
        ("http://x/v1", "sk-with a\nnewline", "holds no key"),
    ],
)
def test_an_endpoint_or_key_that_cannot_be_used_is_refused_without_showing_the_key(url, key, what):
    from denominator.adapters.gateway.upstream import read_upstream

    with pytest.raises(InputError, match=what) as caught:
        read_upstream(url, "K", {"K": key})
    assert not key or key not in str(caught.value)
