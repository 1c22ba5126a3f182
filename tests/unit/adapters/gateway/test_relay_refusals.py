"""What the relay does not let through, and how exchanges end that go wrong: always an answer, always a row."""

from __future__ import annotations

import json
import socket
import threading
from dataclasses import replace

import pytest

from denominator.errors import FencedError
from denominator.readers.provider import unrecovered
from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow
from denominator.records.values import NotMeasured
from denominator.wire.providers import sum_usage
from unit.adapters.gateway.worlds import ATTEMPT, STREAM_HEAD, chat, chunk, document, sends, world


def _error(answer) -> tuple[int, str]:
    return answer[0], json.loads(answer[2])["error"]["type"]


def test_another_token_opens_nothing_and_is_recorded(tmp_path):
    with world(sends(document(chat())), tmp_path / "a") as w:
        (tmp_path / "b").mkdir()
        other = w.relay.open(ATTEMPT, 2, tmp_path / "b", uid=None)
        for headers in ({}, {"Authorization": "Bearer x"}, {"x-api-key": other.token}, {"Authorization": "Bearer ü"}):
            assert _error(w.post(headers=headers)) == (401, "bad_token")
        rows = w.lease.close()
        assert w.provider.requests == []
    assert {(row.status, row.error, row.sent, row.outcome) for row in rows} == {(401, "bad_token", False, "gave_up")}
    assert len(rows) == 4
    assert sum_usage(rows).calls == 0


@pytest.mark.parametrize(
    "path", ["/v1/files", "/v1/models/../files", "/v1/models/%2e%2e/files", "/chat/completions", "/v1", "/v1/", "/"]
)
def test_only_model_calls_are_relayed(tmp_path, path):
    with world(sends(document(b"{}")), tmp_path) as w:
        connection = w.connect()
        for method in ("GET", "POST"):
            connection.request(method, path, headers={"Authorization": f"Bearer {w.lease.token}"})
            response = connection.getresponse()
            assert response.status == 404
            response.read()
        connection.close()
        rows = w.lease.close()
        assert w.provider.requests == []
    assert [row.error for row in rows] == ["not_relayed", "not_relayed"]


def _raw(w, data: bytes) -> bytes:
    with socket.socket(socket.AF_UNIX) as wire:
        wire.settimeout(30)
        wire.connect(str(w.lease.socket))
        wire.sendall(data)
        answer = b""
        while more := wire.recv(65536):
            answer += more
        return answer


@pytest.mark.parametrize(
    ("framing", "status"),
    [
        (b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", b"400"),
        (b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", b"400"),
        (b"Content-Length: -1\r\n\r\n", b"400"),
        (b"Content-Length: 99\r\n\r\n{}", b"413"),
        (b"Transfer-Encoding: chunked\r\n\r\n99\r\n" + b"x" * 0x99, b"413"),
        (b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", b"400"),
        (b"Transfer-Encoding: gzip, chunked\r\n\r\n", b"400"),
    ],
)
def test_bodies_that_cannot_be_told_apart_are_refused(tmp_path, framing, status):
    with world(sends(document(b"{}")), tmp_path, request_bytes=50) as w:
        answer = _raw(w, b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\n" + framing)
        assert answer.split(b" ")[1] == status
        assert w.provider.requests == []
        (row,) = w.lease.close()
    assert row.sent is False


@pytest.mark.parametrize("junk", [b"\x16\x03\x01 hello\r\n\r\n", b"GET\r\n\r\n", b"DELETE /v1/models HTTP/1.1\r\n\r\n"])
def test_what_is_not_a_request_is_answered_and_does_not_hurt(tmp_path, junk):
    with world(sends(document(chat())), tmp_path) as w:
        _raw(w, junk)
        assert w.post()[0] == 200


def test_a_provider_that_cannot_be_reached_costs_nothing(tmp_path):
    with world(sends(b""), tmp_path) as w:
        w.provider.close()
        assert _error(w.post()) == (502, "connect_failed")
        (row,) = w.lease.close()
        w.provider.__init__(sends(b""))
    assert (row.outcome, row.error, row.sent) == ("gave_up", "connect_failed", False)
    broken = unrecovered([row])
    assert broken is not None and broken.cause == "provider_error"
    assert isinstance(row.status, NotMeasured)
    assert sum_usage([row]).complete is True


@pytest.mark.parametrize("answer", [b"", b"hello\r\n\r\n", b"HTTP/1.1 999999\r\n\r\n"])
def test_a_provider_that_does_not_answer_is_spend_unknown(tmp_path, answer):
    with world(sends(answer), tmp_path) as w:
        assert _error(w.post()) == (502, "no_answer")
        (row,) = w.lease.close()
    assert (row.error, row.sent) == ("no_answer", True)
    assert sum_usage([row]).complete is False


def test_a_silent_provider_times_out(tmp_path):
    done = threading.Event()
    with world(lambda wire, body: done.wait(30), tmp_path, read_s=0.2) as w:
        assert _error(w.post()) == (504, "timeout")
        done.set()
        (row,) = w.lease.close()
    assert (row.error, row.sent) == ("timeout", True)


def _broken_off(w) -> None:
    connection = w.connect()
    connection.request("POST", "/v1/chat/completions", b"{}", {"Authorization": f"Bearer {w.lease.token}"})
    response = connection.getresponse()
    with pytest.raises(Exception, match="IncompleteRead"):
        response.read()
    connection.close()


@pytest.mark.parametrize(
    "answer",
    [
        document(chat())[:-10],
        STREAM_HEAD + chunk(b'data: {"choices":[]}\n\n'),
        STREAM_HEAD + chunk(b"data: x\n\n")[:-4],
    ],
)
def test_a_cut_answer_is_cut_for_the_agent_too(tmp_path, answer):
    with world(sends(answer), tmp_path) as w:
        _broken_off(w)
        (row,) = w.lease.close()
    assert (row.outcome, row.error, row.client_left) == ("gave_up", "response_cut", False)
    assert isinstance(row.usage.prompt, NotMeasured)


def test_a_stream_that_ends_in_order_but_too_early_is_named(tmp_path):
    body = b'data: {"choices":[{"delta":{"content":"a"}}]}\n\n'
    with world(sends(STREAM_HEAD + chunk(body) + b"0\r\n\r\n"), tmp_path) as w:
        assert w.post()[2] == body
        (row,) = w.lease.close()
    assert (row.outcome, row.error, row.final_event) == ("gave_up", "stream_cut", False)


def test_a_rate_limit_passes_with_its_wait_and_its_type(tmp_path):
    body = json.dumps({"error": {"type": "rate_limit_exceeded", "message": "slow down"}}).encode()
    head = "Content-Type: application/json\r\nRetry-After: 20\r\n"
    with world(sends(document(body, status="429 Too Many Requests", headers=head)), tmp_path) as w:
        status, headers, got = w.post()
        (row,) = w.lease.close()
    assert (status, headers["Retry-After"], got) == (429, "20", body)
    assert (row.outcome, row.status, row.error, row.retry_after_s) == ("gave_up", 429, "rate_limit_exceeded", "20")
    assert sum_usage([row]).complete is True


def test_an_error_without_a_type_is_named_by_its_status(tmp_path):
    with world(sends(document(b"<html>", status="503 Busy", headers="Content-Type: text/html\r\n")), tmp_path) as w:
        assert w.post()[0] == 503
        (row,) = w.lease.close()
    assert (row.error, row.status) == ("response_not_json", 503)
    assert sum_usage([row]).complete is False


def test_an_encoding_that_we_cannot_read_is_not_passed_on(tmp_path):
    with world(sends(document(b"xx", headers="Content-Encoding: br\r\n")), tmp_path) as w:
        assert _error(w.post()) == (502, "encoding_unknown")


def test_an_answer_past_the_cap_is_cut(tmp_path):
    with world(sends(document(b" " * 5000)), tmp_path, response_bytes=1000) as w:
        _broken_off(w)
        (row,) = w.lease.close()
    assert row.error == "response_too_large"


def test_an_agent_that_leaves_is_recorded(tmp_path):
    def serve(wire: socket.socket, _: bytes) -> None:
        wire.sendall(STREAM_HEAD)
        while True:
            wire.sendall(chunk(b": " + b"x" * 60000 + b"\n\n"))

    with world(serve, tmp_path) as w:
        connection = w.connect()
        connection.request("POST", "/v1/chat/completions", b"{}", {"Authorization": f"Bearer {w.lease.token}"})
        assert connection.getresponse().read1(10)
        connection.close()
        while len(w.seen) < 2:
            threading.Event().wait(0.01)
        (row,) = w.lease.close()
    assert (row.outcome, row.error, row.client_left, row.sent) == ("gave_up", "client_left", True, True)


def test_the_end_of_the_attempt_cuts_a_call_and_records_it(tmp_path):
    asked = threading.Event()
    held = threading.Event()

    def serve(wire: socket.socket, _: bytes) -> None:
        asked.set()
        held.wait(30)

    with world(serve, tmp_path) as w:
        agent = threading.Thread(target=lambda: _swallow(w.post), daemon=True)
        agent.start()
        assert asked.wait(30)
        (row,) = w.lease.close()
        held.set()
        agent.join(30)
        assert list(w.lease.close()) == [row]
    assert (row.outcome, row.error, row.client_left) == ("gave_up", "attempt_ended", False)
    assert sum_usage([row]).complete is False


def _swallow(act) -> None:
    try:
        act()
    except Exception:
        return


def test_a_call_that_cannot_be_recorded_is_not_made(tmp_path):
    with world(sends(document(chat())), tmp_path) as w:

        def fail(row) -> None:
            raise OSError("disk full at /secret/place")

        w.recorder = fail
        answer = w.post()
        assert _error(answer) == (503, "not_recorded")
        assert b"/secret" not in answer[2]
        assert w.provider.requests == []
        with pytest.raises(OSError, match="disk full"):
            w.lease.close()


def test_a_fenced_attempt_ends_only_its_own_calls(tmp_path):
    with world(sends(document(chat())), tmp_path / "a") as w:
        (tmp_path / "b").mkdir()

        def fence(row) -> None:
            if row.key == ATTEMPT and row.incarnation == 1 and row.outcome == "open":
                raise FencedError("incarnation 2 has begun")
            w.seen.append(row)

        w.recorder = fence
        assert [_error(w.post()) for _ in range(2)] == [(503, "not_recorded")] * 2
        assert w.provider.requests == []
        fenced, w.lease = w.lease, w.relay.open(AttemptKey("run", "t2"), 1, tmp_path / "b", uid=None)
        assert w.post()[0] == 200
        assert len(w.lease.close()) == 1
        with pytest.raises(FencedError):
            fenced.close()
    assert [row.key.task_id for row in w.seen] == ["t2", "t2"]


def test_in_a_group_of_several_attempts_only_the_fenced_one_is_refused_and_what_it_spent_is_kept(tmp_path):
    class Listed:
        def __init__(self) -> None:
            self.settled = []

        def ask(self, row):
            return replace(row, reserved_tokens=7)

        def settle(self, row) -> None:
            self.settled.append((row.key.task_id, row.outcome, row.sent))

    with world(sends(document(chat())), tmp_path / "a") as w:
        w.relay._guard = guard = Listed()
        (tmp_path / "b").mkdir()
        other = w.relay.open(AttemptKey("run", "t2"), 1, tmp_path / "b", uid=None)

        def fence(*rows) -> None:
            if any(row.key == ATTEMPT and row.outcome == "open" for row in rows):
                raise FencedError("incarnation 2 has begun")
            w.seen.extend(rows)

        w.relay._record = fence
        late = CallRow(key=ATTEMPT, incarnation=1, seq=9, outcome="gave_up", sent=True)
        asked = CallRow(key=ATTEMPT, incarnation=1, seq=2)
        assert asked.outcome == "open"
        w.lease.rows[2] = asked
        there = replace(asked, key=other.key, seq=1)
        other.rows[1] = there
        group = [(w.lease, asked), (other, there), (w.lease, late)]
        assert w.relay._durable(group) == frozenset({other.number})
        assert sorted(w.seen, key=lambda row: row.seq) == [there, late]
        assert 2 not in w.lease.rows and 1 in other.rows
        assert isinstance(w.lease.trouble, FencedError) and other.trouble is None and w.relay._trouble is None
        assert ("t1", "gave_up", False) in guard.settled
        with pytest.raises(FencedError):
            w.lease.close()


def test_more_calls_than_are_recorded_are_not_made(tmp_path):
    with world(sends(document(chat())), tmp_path, calls=2) as w:
        assert [w.post()[0] for _ in range(4)] == [200, 200, 429, 429]
        assert len(w.provider.requests) == 2
        assert len(w.lease.close()) == 2


def test_more_connections_than_allowed_are_closed(tmp_path):
    with world(sends(document(chat())), tmp_path, connections=1) as w:
        first = w.connect()
        assert w.post(wire=first)[0] == 200
        with pytest.raises(OSError):
            w.post()
        first.close()


@pytest.mark.parametrize(
    ("target", "header"),
    [
        (b"/v1/chat/completions?x=\x01", b""),
        (b"/v1/chat/completions?x=\xc3\xa9", b""),
        (b"/v1/models/\x7f", b""),
        (b"/v1/chat/completions", b"x-odd\x01name: 1\r\n"),
        (b"/v1/chat/completions", b"x odd: 1\r\n"),
    ],
)
def test_what_cannot_be_sent_on_is_the_agents_own_doing_and_no_failure_of_the_provider(tmp_path, target, header):
    with world(sends(document(chat())), tmp_path) as w:
        token = w.lease.token.encode()
        head = b"POST " + target + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer " + token
        _raw(w, head + b"\r\n" + header + b"Content-Length: 2\r\n\r\n{}")
        assert unrecovered(w.lease.close()) is None
