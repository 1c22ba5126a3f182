"""What an agent may do: any HTTP/1 it likes, and leave when it likes; nothing it does reaches another attempt."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from denominator.adapters.gateway.proxy.answers import WORDS
from denominator.records.values import NotMeasured
from unit.adapters.gateway.worlds import ATTEMPT, KEY, STREAM_HEAD, chat, chunk, document, sends, world

DONE = b'data: {"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2}}\n\n'
DONE += b"data: [DONE]\n\n"


def _wire(w) -> socket.socket:
    wire = socket.socket(socket.AF_UNIX)
    wire.settimeout(30)
    wire.connect(str(w.lease.socket))
    return wire


def _ask(w, *lines: str, version: str = "1.1", body: bytes = b"{}") -> bytes:
    head = [f"POST /v1/chat/completions HTTP/{version}", "Host: x", f"Authorization: Bearer {w.lease.token}", *lines]
    return "\r\n".join([*head, f"Content-Length: {len(body)}", "", ""]).encode() + body


def _rest(wire: socket.socket) -> bytes:
    got = b""
    while more := wire.recv(65536):
        got += more
    return got


def test_http_1_0_gets_a_stream_until_the_connection_ends(tmp_path):
    with world(sends(STREAM_HEAD + chunk(DONE) + b"0\r\n\r\n"), tmp_path) as w, _wire(w) as wire:
        wire.sendall(_ask(w, version="1.0"))
        head, _, body = _rest(wire).partition(b"\r\n\r\n")
        (row,) = w.lease.close()
    assert b"transfer-encoding" not in head.lower()
    assert (body, row.outcome) == (DONE, "ok")


def test_an_agent_that_waits_for_leave_to_send_gets_it(tmp_path):
    with world(sends(document(chat())), tmp_path) as w, _wire(w) as wire:
        asked = _ask(w, "Expect: 100-continue", "Connection: close")
        wire.sendall(asked[:-2])
        assert wire.recv(65536).startswith(b"HTTP/1.1 100 ")
        wire.sendall(asked[-2:])
        assert _rest(wire).endswith(chat())
        head, body = w.provider.requests[0]
    assert body == b"{}"
    assert b"expect" not in head.lower()


def test_requests_that_come_at_once_are_answered_in_order(tmp_path):
    def serve(wire: socket.socket, body: bytes) -> None:
        wire.sendall(document(chat(prompt=json.loads(body)["n"])))

    with world(serve, tmp_path) as w, _wire(w) as wire:
        wire.sendall(
            b"".join(_ask(w, body=b'{"n":%d}' % n) for n in (1, 2)) + _ask(w, "Connection: close", body=b'{"n":3}')
        )
        got = _rest(wire)
        rows = w.lease.close()
    assert [got.find(b'"prompt_tokens": %d,' % n) > 0 for n in (1, 2, 3)] == [True] * 3
    assert [row.usage.prompt for row in rows] == [1, 2, 3]


def test_an_agent_that_leaves_after_the_last_word_has_had_it_all(tmp_path):
    left = threading.Event()

    def serve(wire: socket.socket, _: bytes) -> None:
        wire.sendall(STREAM_HEAD + chunk(DONE))
        assert left.wait(30)
        while wire.recv(65536):
            pass

    with world(serve, tmp_path) as w:
        with _wire(w) as wire:
            wire.sendall(_ask(w))
            got = b""
            while b"[DONE]" not in got:
                got += wire.recv(65536)
        left.set()
        while len(w.seen) < 2:
            threading.Event().wait(0.01)
        (row,) = w.lease.close()
    assert (row.outcome, row.client_left, row.usage.prompt) == ("ok", True, 3)


def test_an_agent_that_leaves_ends_the_providers_work(tmp_path):
    asked, cut = threading.Event(), threading.Event()

    def serve(wire: socket.socket, _: bytes) -> None:
        asked.set()
        if not wire.recv(1):
            cut.set()

    with world(serve, tmp_path) as w:
        with _wire(w) as wire:
            wire.sendall(_ask(w))
            assert asked.wait(30)
        assert cut.wait(30)
        (row,) = w.lease.close()
    assert (row.outcome, row.error, row.client_left, row.sent) == ("gave_up", "client_left", True, True)


def test_more_than_one_attempt_may_have_in_memory_is_refused(tmp_path):
    with world(sends(document(chat())), tmp_path, request_bytes=1000, held_bytes=1500) as w:
        with _wire(w) as wire:
            wire.sendall(_ask(w, body=b" " * 1000)[:-1])
            # The first is in memory once its connection has been heard; a small one passes all the while.
            while w.post(b" " * 600)[0] == 200:
                pass
            assert w.post(b" " * 600)[0] == 429
            assert w.post(b" " * 400)[0] == 200
        while w.post(b" " * 600)[0] != 200:
            pass
        rows = w.lease.close()
    assert {row.error for row in rows if row.sent is False} == {"too_much_at_once"}


def test_a_budget_that_refuses_is_an_invalid_request_to_clients_of_either_kind(tmp_path):
    with world(sends(document(chat())), tmp_path) as w:
        w.guard.refuses = "run_cap"
        for path in ("/v1/chat/completions", "/v1/messages"):
            status, _, body = w.post(path=path)
            error = json.loads(body)["error"]
            assert (status, error["type"], error["code"]) == (400, "invalid_request_error", "budget_exhausted")
        rows = w.lease.close()
        assert w.provider.requests == []
    assert {(row.outcome, row.sent, row.cap_state) for row in rows} == {("gave_up", False, "run_cap")}


def test_the_end_of_one_attempt_touches_no_other(tmp_path):
    go = threading.Event()

    def serve(wire: socket.socket, _: bytes) -> None:
        wire.sendall(STREAM_HEAD + chunk(b": begun\n\n"))
        assert go.wait(30)
        wire.sendall(chunk(DONE) + b"0\r\n\r\n")

    with world(serve, tmp_path / "a") as w:
        (tmp_path / "b").mkdir()
        other = w.relay.open(replace(ATTEMPT, task_id="t2"), 1, tmp_path / "b", uid=None)
        with _wire(w) as first, socket.socket(socket.AF_UNIX) as second:
            second.settimeout(30)
            second.connect(str(other.socket))
            for wire, token in ((first, w.lease.token), (second, other.token)):
                wire.sendall(_ask(w, "Connection: close").replace(w.lease.token.encode(), token.encode()))
                assert wire.recv(65536)
            (cut,) = w.lease.close()
            go.set()
            assert DONE in _rest(second)
        (whole,) = other.close()
    assert (cut.error, whole.outcome, whole.key.task_id) == ("attempt_ended", "ok", "t2")


def test_signals_of_a_terminal_are_the_runners_business(tmp_path):
    with world(sends(document(chat())), tmp_path) as w:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            os.kill(w.relay.pid, number)
        assert w.post()[0] == 200


@pytest.mark.parametrize("said", [b"", b"no settings\n", b'{"endpoint":1}\n', b"[]\n"])
def test_a_process_that_is_told_nonsense_or_nothing_ends_and_says_nothing(said):
    ours, theirs = socket.socketpair()
    argv = [sys.executable, "-m", "denominator.adapters.gateway.proxy", str(theirs.fileno())]
    child = subprocess.Popen(argv, pass_fds=(theirs.fileno(),), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    theirs.close()
    ours.sendall(said)
    if not said:
        ours.close()
    out, err = child.communicate(timeout=60)
    assert (child.returncode, out, err) == (2 if said else 0, b"", b"")


def test_the_key_is_in_no_place_that_another_program_can_read(tmp_path):
    with world(sends(document(chat())), tmp_path) as w:
        assert w.post()[0] == 200
        assert KEY.encode() not in Path(f"/proc/{w.relay.pid}/cmdline").read_bytes()
        if os.getuid():
            with pytest.raises(PermissionError):
                Path(f"/proc/{w.relay.pid}/environ").read_bytes()


def test_words_of_a_row_are_written_down(tmp_path):
    with world(sends(b""), tmp_path) as w:
        w.post()
        (row,) = w.lease.close()
    assert row.error in WORDS
    assert isinstance(row.response_sha256, NotMeasured)
