"""Transport retries: only when declared, each a row of its own, waited for as told, never longer than declared."""

from __future__ import annotations

import json
import socket
import threading

from denominator.adapters.gateway.proxy.waiting import Waiting
from denominator.records.envelopes import GatewayTerms
from unit.adapters.gateway.worlds import ATTEMPT, chat, document, world

LIMIT = json.dumps({"error": {"type": "rate_limit_exceeded", "message": "slow down"}}).encode()


def _limited(wait: str = "0") -> bytes:
    head = (
        f"Content-Type: application/json\r\nRetry-After: {wait}\r\n" if wait else "Content-Type: application/json\r\n"
    )
    return document(LIMIT, status="429 Too Many Requests", headers=head)


def _in_turn(*answers: bytes):
    left, lock = list(answers), threading.Lock()

    def serve(wire: socket.socket, _: bytes) -> None:
        with lock:
            answer = left.pop(0) if len(left) > 1 else left[0]
        wire.sendall(answer)

    return serve


def test_without_a_word_nothing_is_tried_again(tmp_path):
    with world(_in_turn(_limited(), document(chat())), tmp_path) as w:
        assert w.post()[0] == 429
        (row,) = w.lease.close()
    assert (row.outcome, row.retry_of, row.paused_ms >= 0) == ("gave_up", 0, True)


def test_a_failed_try_is_followed_by_another_with_a_row_of_its_own(tmp_path):
    busy = document(b"{}", status="503 Busy")
    with world(
        _in_turn(_limited(), busy, document(chat())), tmp_path, terms=GatewayTerms(retries=2, wait_max_s=0)
    ) as w:
        assert w.post()[::2] == (200, chat())
        rows = w.lease.close()
        sent = w.provider.requests
    assert [(row.outcome, row.status, row.retry_of) for row in rows] == [
        ("retry", 429, 0),
        ("retry", 503, 1),
        ("ok", 200, 2),
    ]
    assert rows[0].error == "rate_limit_exceeded"
    assert len({body for _, body in sent}) == 1 and len(sent) == 3
    # Each try was asked for before it was made.
    assert [(row.seq, row.outcome) for row in w.seen if row.outcome == "open"] == [
        (1, "open"),
        (2, "open"),
        (3, "open"),
    ]


def test_the_last_try_is_passed_on(tmp_path):
    with world(_in_turn(_limited()), tmp_path, terms=GatewayTerms(retries=2, wait_max_s=0)) as w:
        assert w.post()[::2] == (429, LIMIT)
        rows = w.lease.close()
    assert [row.outcome for row in rows] == ["retry", "retry", "gave_up"]


def test_only_declared_endings_are_tried_again(tmp_path):
    terms = GatewayTerms(retries=2, wait_max_s=0, retry_on=("server_error",))
    with world(_in_turn(_limited()), tmp_path, terms=terms) as w:
        assert w.post()[0] == 429
        assert [row.outcome for row in w.lease.close()] == ["gave_up"]


def test_a_longer_wait_than_declared_is_not_waited_for(tmp_path):
    with world(_in_turn(_limited("61")), tmp_path, terms=GatewayTerms(retries=2, wait_max_s=60)) as w:
        status, headers, _ = w.post()
        (row,) = w.lease.close()
    assert (status, headers["Retry-After"], row.outcome, row.retry_after_s) == (429, "61", "gave_up", "61")


def test_what_was_waited_is_on_the_row_that_caused_it(tmp_path):
    with world(_in_turn(_limited("1"), document(chat())), tmp_path, terms=GatewayTerms(retries=1)) as w:
        assert w.post()[0] == 200
        first, second = w.lease.close()
        assert 1000 <= w.lease.paused_ms < 20_000
    assert first.paused_ms >= 1000
    assert (second.outcome, second.paused_ms) == ("ok", 0)


def test_no_connection_is_tried_again_and_nothing_else_of_the_line(tmp_path):
    with world(_in_turn(b""), tmp_path, terms=GatewayTerms(retries=3, wait_max_s=0)) as w:
        assert w.post()[0] == 502
        w.provider.close()
        assert w.post()[0] == 502
        rows = w.lease.close()
        w.provider.__init__(_in_turn(b""))
    # What was sent may be paid for: a line that breaks then is never tried again.
    assert [(row.outcome, row.error) for row in rows] == [("gave_up", "no_answer")] + [
        ("retry", "connect_failed")
    ] * 3 + [("gave_up", "connect_failed")]


def test_a_refused_second_try_ends_the_call(tmp_path):
    with world(_in_turn(_limited(), document(chat())), tmp_path, terms=GatewayTerms(retries=1, wait_max_s=0)) as w:
        asked, ask = [], w.guard.ask

        def once(row):
            asked.append(row)
            w.guard.refuses = "tokens" if len(asked) == 2 else ""
            return ask(row)

        w.guard.ask = once
        status, _, body = w.post()
        rows = w.lease.close()
    error = json.loads(body)["error"]
    assert (status, error["type"], error["code"]) == (400, "invalid_request_error", "budget_exhausted")
    assert [(row.outcome, row.cap_state, row.retry_of, row.sent) for row in rows] == [
        ("retry", "", 0, True),
        ("gave_up", "tokens", 1, False),
    ]


def test_the_end_of_the_attempt_cuts_a_wait(tmp_path):
    with world(_in_turn(_limited("30")), tmp_path, terms=GatewayTerms(retries=1)) as w:
        wire = w.connect()
        wire.request("POST", "/v1/chat/completions", b"{}", {"Authorization": f"Bearer {w.lease.token}"})
        while len(w.seen) < 2:
            threading.Event().wait(0.01)
        rows = w.lease.close()
        wire.close()
    assert [(row.key, row.outcome, row.error) for row in rows] == [(ATTEMPT, "gave_up", "rate_limit_exceeded")]
    assert rows[0].paused_ms < 30_000


def test_without_a_told_wait_it_doubles_up_to_the_declared_one():
    waiting = Waiting(GatewayTerms(retries=9, wait_max_s=10))
    assert [waiting.after_status(500, "", tried, 0) for tried in range(1, 11)] == [1, 2, 4, 8, 10, 10, 10, 10, 10, None]
    assert waiting.after_status(200, "1", 1, 0) is None
    assert waiting.after_status(404, "1", 1, 0) is None
    assert Waiting(GatewayTerms()).after_connect(1) is None
