"""Whatever bytes a server sends and however it ends, there is one exchange in time, and its end agrees with its bytes."""

from __future__ import annotations

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from denominator.adapters.clock import SystemClock
from denominator.adapters.gateway.upstream import read_upstream
from denominator.adapters.probe import ProbeClient
from denominator.records.probe_words import End
from denominator.records.probes import Ask, Terms
from denominator.wire.http_reply import State, read_reply
from probe_server import CHUNKED, OK, ScriptedServer, answer, chunk, event, says

CAP = 2000
DEADLINE_MS = 300
TERMS = Terms(deadline_ms=DEADLINE_MS, gap_ms=150, body_bytes_max=CAP)
STREAM = CHUNKED + event('{"choices": []}') + event("[DONE]") + b"0\r\n\r\n"
GOOD = (
    says("hello"),
    STREAM,
    answer(b"x" * CAP),
    answer(b"x" * (CAP + 1)),
    OK + b"\r\nabc",
    CHUNKED + chunk(b": c\n\n"),
)
OF_STATE = {
    End.COMPLETE: {State.WHOLE},
    End.ILLEGAL: {State.ILLEGAL},
    End.CAP: {State.OVER},
    End.DONE: {State.BODY_OPEN},
    End.FIN: {State.NO_HEAD, State.BODY_OPEN},
    End.RESET: {State.NO_HEAD, State.BODY_OPEN},
    End.GAP: {State.NO_HEAD, State.BODY_OPEN},
    End.DEADLINE: {State.NO_HEAD, State.BODY_OPEN},
}


@pytest.fixture(scope="module")
def server():
    plans = []

    def script(conn):
        parts, end = plans[-1]
        conn.read_request()
        conn.send(*parts, pause=0.001)
        {"close": lambda: None, "hang": conn.hang, "reset": conn.reset}[end]()

    with ScriptedServer(script) as one:
        one.plans = plans
        yield one


@st.composite
def _sent(draw) -> list[bytes]:
    """A good answer with some bytes changed, put in or taken out, cut into pieces; or just bytes."""
    wire = bytearray(draw(st.one_of(st.sampled_from(GOOD), st.binary(max_size=60))))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(wire)))
        what = draw(st.sampled_from(["change", "insert", "delete", "cut"]))
        if what == "change" and at < len(wire):
            wire[at] = draw(st.integers(0, 255))
        elif what == "insert":
            wire[at:at] = draw(st.binary(max_size=6))
        elif what == "delete":
            del wire[at : at + draw(st.integers(1, 9))]
        elif what == "cut":
            del wire[at:]
    cuts = sorted({min(cut, len(wire)) for cut in draw(st.lists(st.integers(0, 600), max_size=4))})
    parts = [bytes(wire[start:stop]) for start, stop in zip([0, *cuts], [*cuts, len(wire)], strict=True)]
    return [part for part in parts if part]


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_sent(), st.sampled_from(["close", "hang", "reset"]), st.sampled_from(["plain", "stream"]))
def test_there_is_always_one_exchange_and_its_end_agrees_with_its_bytes(server, parts, end, mode):
    server.plans.append((parts, end))
    client = ProbeClient(read_upstream(server.url, "", {}), TERMS, SystemClock())
    began = time.monotonic()
    done = client.exchange(b"{}", Ask(seq=1, case_id="a", mode=mode, attempt=1), 1)
    assert time.monotonic() - began < 5
    assert done is not None
    assert b"".join(parts).startswith(done.wire)
    reply = read_reply(done.wire, CAP, closed=done.closed)
    assert reply.state in OF_STATE[End(done.end)], (done, reply.state)
    if done.end == End.GAP:
        assert mode == "stream" and done.wire
