"""Connections to the provider: kept, checked before they are used again, never trusted for more than one answer."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import subprocess
import threading
import time

import pytest

from denominator.adapters.clock import SystemClock
from denominator.adapters.gateway.proxy.idle import SETTLED_S
from denominator.adapters.gateway.proxy.settings import Settings
from denominator.adapters.gateway.relay import Relay
from unit.adapters.gateway.worlds import (
    ATTEMPT,
    KEEP_STREAM_HEAD,
    KEY,
    KEY_ENV,
    STREAM_HEAD,
    Guard,
    Provider,
    UnixConnection,
    chat,
    chunk,
    document,
    read_request,
    sends,
    world,
)

TOO = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison"


def _kept(answers: list[bytes], seen: list[int]):
    """A provider that answers many requests on one connection; `seen` gets how many each connection answered."""

    def serve(wire: socket.socket, _: bytes) -> None:
        seen.append(0)
        me = len(seen) - 1
        while answers:
            # Counted first: a test may ask as soon as it has the answer.
            seen[me] += 1
            wire.sendall(answers.pop(0))
            read_request(wire)

    return serve


@pytest.mark.parametrize(
    "answer",
    [
        document(chat(), keep=True),
        KEEP_STREAM_HEAD + chunk(b"data: x\n\n") + b"0\r\n\r\n",
        document(b"", status="204 No Content", keep=True),
    ],
)
def test_a_connection_is_used_again(tmp_path, answer):
    seen: list[int] = []
    with world(_kept([answer] * 5, seen), tmp_path) as w:
        first = w.post()
        for _ in range(4):
            time.sleep(2 * SETTLED_S)
            assert w.post()[::2] == first[::2]
    assert sum(seen) == 5 and len(seen) == 1


def test_what_comes_behind_an_answer_answers_no_other_call(tmp_path):
    seen: list[int] = []
    with world(_kept([document(chat(), keep=True) + TOO, document(chat(), keep=True)], seen), tmp_path) as w:
        assert [w.post()[2] for _ in range(2)] == [chat()] * 2
    assert seen == [1, 1]


def test_what_comes_while_nothing_was_asked_answers_no_call(tmp_path):
    late, sent, seen = threading.Event(), threading.Event(), []

    def serve(wire: socket.socket, _: bytes) -> None:
        seen.append(1)
        wire.sendall(document(chat(), keep=True))
        if len(seen) == 1:
            assert late.wait(30)
            wire.sendall(TOO)
            sent.set()

    with world(serve, tmp_path) as w:
        assert w.post()[2] == chat()
        late.set()
        assert sent.wait(30)
        assert w.post()[2] == chat()
    assert len(seen) == 2


def test_a_connection_that_the_provider_ended_is_not_used_again(tmp_path):
    with world(sends(document(chat(), keep=True)), tmp_path) as w:
        for _ in range(5):
            assert w.post()[0] == 200
            time.sleep(2 * SETTLED_S)
        assert {row.outcome for row in w.lease.close()} == {"ok"}


def test_an_answer_that_comes_before_the_whole_request_is_passed_on(tmp_path):
    refused = document(
        b'{"error":{"type":"request_too_large"}}', status="413 Too Large", headers="Connection: close\r\n"
    )

    class Early(Provider):
        def _one(self, wire: socket.socket) -> None:
            with wire:
                wire.recv(1000)
                wire.sendall(refused)
                # The rest of the request is taken, for closing over it would take the answer away.
                while wire.recv(65536):
                    pass

    early = Early(sends(b""))
    with world(sends(b""), tmp_path, endpoint=early.url) as w:
        assert w.post(b" " * 8_000_000)[0] == 413
        (row,) = w.lease.close()
    early.close()
    assert (row.error, row.sent) == ("request_too_large", True)


@pytest.mark.parametrize("how", ["informed", "until the end", "old"])
def test_other_ways_to_answer(tmp_path, how):
    answer = {
        "informed": b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + document(chat()),
        "until the end": b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + chat(),
        "old": b"HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n" + chat(),
    }[how]
    with world(sends(answer), tmp_path) as w:
        assert w.post()[::2] == (200, chat())
        (row,) = w.lease.close()
    assert (row.outcome, row.usage.prompt) == ("ok", 10)


def test_a_redirect_is_passed_on_and_not_followed(tmp_path):
    with world(
        sends(document(b"", status="307 Elsewhere", headers="Location: http://127.0.0.1:1/\r\n")), tmp_path
    ) as w:
        assert w.post()[0] == 307
        (row,) = w.lease.close()
        assert len(w.provider.requests) == 1
    assert row.outcome == "gave_up"


def test_large_bodies_pass_both_ways(tmp_path):
    asked, told = b'{"x":"' + b"a" * (16 * 2**20 - 8) + b'"}', b"b" * (64 * 2**20)
    with world(sends(document(told, headers="Content-Type: text/plain\r\n")), tmp_path) as w:
        assert w.post(asked)[2] == told
        assert w.provider.requests[0][1] == asked
        assert w.post(asked + b" ")[0] == 413
        row, refused = w.lease.close()
    assert (row.request_bytes, row.response_bytes) == (len(asked), len(told))
    assert (refused.error, refused.sent) == ("too_large", False)


def test_a_slow_agent_makes_the_provider_wait(tmp_path):
    sent, piece = [0], b": " + b"x" * 65_534

    def serve(wire: socket.socket, _: bytes) -> None:
        wire.settimeout(1)
        wire.sendall(STREAM_HEAD)
        try:
            while sent[0] < 60 * 2**20:
                wire.sendall(chunk(piece))
                sent[0] += len(piece)
        except TimeoutError:
            stuck.set()
            left.wait(30)

    stuck, left = threading.Event(), threading.Event()
    with world(serve, tmp_path) as w:
        wire = w.connect()
        wire.request("POST", "/v1/chat/completions", b"{}", {"Authorization": f"Bearer {w.lease.token}"})
        assert stuck.wait(60)
        left.set()
        wire.close()
    # What the buffers of both sockets hold and a little of ours, not what was there to send.
    assert sent[0] < 30 * 2**20


def test_a_provider_behind_tls_is_verified(tmp_path):
    made = [
        *(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]),
        "-addext",
    ]
    files = ["-keyout", str(tmp_path / "key.pem"), "-out", str(tmp_path / "cert.pem")]
    try:
        subprocess.run([*made, "subjectAltName=DNS:localhost", *files], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("openssl makes no certificate here")
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")

    class Tls(Provider):
        def _one(self, wire: socket.socket) -> None:
            try:
                super()._one(tls.wrap_socket(wire, server_side=True))
            except OSError:
                wire.close()

    provider, seen = Tls(sends(document(chat()))), []
    url = provider.url.replace("http://127.0.0.1", "https://localhost")
    for trusted, status in (({"SSL_CERT_FILE": str(tmp_path / "cert.pem")}, 200), ({}, 502)):
        relay = Relay(
            Settings(endpoint=url, key_env=KEY_ENV),
            environ={KEY_ENV: KEY, **trusted},
            clock=SystemClock(),
            record=lambda *rows: seen.extend(rows),
            guard=Guard(),
        )
        folder = tmp_path / str(status)
        folder.mkdir()
        lease = relay.open(ATTEMPT, 1, folder, uid=None)
        wire = UnixConnection(lease.socket)
        wire.request("POST", "/v1/chat/completions", b"{}", {"Authorization": f"Bearer {lease.token}"})
        response = wire.getresponse()
        assert (response.status, response.read() == chat()) == (status, status == 200)
        wire.close()
        relay.shutdown()
    provider.close()
    assert [row.error for row in seen if row.outcome == "gave_up"] == ["certificate_refused"]
    assert [row.sent for row in seen if row.outcome == "gave_up"] == [False]


def test_streamed_and_whole_usage_are_equal(tmp_path):
    usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
    usage["prompt_tokens_details"], usage["completion_tokens_details"] = {"cached_tokens": 4}, {"reasoning_tokens": 3}
    whole = {"model": "m", "choices": [{"message": {"content": "ab"}, "finish_reason": "stop"}], "usage": usage}
    parts = [
        {"model": "m", "choices": [{"delta": {"content": "a"}}], "usage": None},
        {
            "model": "m",
            "choices": [{"delta": {"content": "b"}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 1},
        },
        {"model": "m", "choices": [], "usage": usage},
    ]
    events = [b"data: %b\n\n" % json.dumps(part).encode() for part in parts] + [b"data: [DONE]\n\n"]

    def serve(wire: socket.socket, body: bytes) -> None:
        if json.loads(body).get("stream"):
            wire.sendall(STREAM_HEAD + b"".join(chunk(event) for event in events) + b"0\r\n\r\n")
        else:
            wire.sendall(document(json.dumps(whole).encode()))

    with world(serve, tmp_path) as w:
        w.post(b'{"model":"m"}')
        w.post(b'{"model":"m","stream":true,"stream_options":{"include_usage":true}}')
        one, other = w.lease.close()
    assert (one.usage_source, other.usage_source) == ("provider", "provider_stream_last")
    assert one.usage == other.usage
    assert (one.usage_raw, one.usage_convention, one.served_model, one.finish) == (
        other.usage_raw,
        other.usage_convention,
        other.served_model,
        other.finish,
    )
    assert (one.usage.prompt, one.usage.cached_read, one.usage.reasoning) == (11, 4, 3)


def test_what_a_refusal_says_is_read_before_an_agent_can_leave_at_its_status(tmp_path):
    body = b'{"error": {"type": "insufficient_quota", "code": "insufficient_quota"}}'
    answer = document(body, status="429 Too Many Requests")
    at = answer.index(body)

    def serve(wire, _):
        wire.sendall(answer[:at])
        time.sleep(0.3)
        wire.sendall(answer[at:])

    with world(serve, tmp_path / "a") as w:
        wire = w.connect()
        wire.request("POST", "/v1/chat/completions", b"{}", {"Authorization": f"Bearer {w.lease.token}"})
        assert wire.getresponse().status == 429
        wire.close()
        while len(w.seen) < 2:
            time.sleep(0.01)
        (row,) = w.lease.close()
    assert (row.status, row.error) == (429, "insufficient_quota")


@pytest.mark.parametrize("come", [0, 10])
def test_a_refusal_that_is_cut_keeps_its_status_for_the_agent(tmp_path, come):
    body = b'{"error": {"type": "insufficient_quota"}}'
    answer = document(body, status="429 Too Many Requests")
    with world(sends(answer[: answer.index(body) + come]), tmp_path / "a") as w:
        wire = w.connect()
        wire.request("POST", "/v1/chat/completions", b"{}", {"Authorization": f"Bearer {w.lease.token}"})
        response = wire.getresponse()
        with pytest.raises(http.client.IncompleteRead) as cut:
            response.read()
        wire.close()
        (row,) = w.lease.close()
    assert (response.status, cut.value.partial) == (429, body[:come])
    assert (row.status, row.error) == (429, "response_cut")


@pytest.mark.parametrize("status", ["200 OK", "529 Overloaded"])
def test_an_agent_that_goes_with_the_last_byte_had_it_all(tmp_path, status):
    body = b'{"error": {"type": "overloaded_error"}, "page": "%s"}' % (b"x" * 300_000)
    for round_ in range(10):
        with world(sends(document(body, status=status)), tmp_path / str(round_)) as w:
            got = w.post()
            (row,) = w.lease.close()
        assert (got[2], row.client_left, row.response_bytes) == (body, False, len(body))
        assert row.error == "overloaded_error" or (status.startswith("200") and row.outcome == "ok")
