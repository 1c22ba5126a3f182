"""What a run needs is looked for before its first prompt; of an endpoint only the door is tried."""

from __future__ import annotations

import socket
import threading
from dataclasses import replace

import pytest

from denominator.envelopes import demo_envelope
from denominator.errors import Exit, MachineError
from denominator.records.envelopes import ModelTerms
from denominator.wiring.reaching import AGENTS_PATH, require_reached

ENVELOPE = demo_envelope("m", "command", version="1")


def arm(url, label="m", network="gateway", agent="command"):
    """An arm with its envelope."""
    one = replace(ENVELOPE.arm[0], label=label, agent=agent, model=ModelTerms(id="big", endpoint=url))
    return one, replace(ENVELOPE, arm=(one,), sandbox=replace(ENVELOPE.sandbox, network=network))


@pytest.fixture
def listening():
    """A listening socket, and what arrived at each connection."""
    arrived = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def take():
            while True:
                try:
                    one, _ = server.accept()
                except OSError:
                    return
                with one:
                    one.settimeout(5)
                    arrived.append(one.recv(100))

        thread = threading.Thread(target=take, daemon=True)
        thread.start()
        yield server.getsockname()[1], arrived, server, thread


@pytest.fixture
def closed():
    """A port at which nobody listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        yield one.getsockname()[1]


def test_a_door_that_opens_is_enough_and_hears_nothing(listening):
    port, arrived, server, thread = listening
    two = [arm(f"http://127.0.0.1:{port}/v1", label) for label in ("a", "b")]
    require_reached(two)
    # Connections are taken in the order in which they came, so with this one everything before it has arrived.
    with socket.create_connection(("127.0.0.1", port)) as last:
        last.sendall(b"last")
        last.recv(1)
    server.shutdown(socket.SHUT_RDWR)
    thread.join(10)
    assert arrived == [b"", b"last"], "each address is tried once, and no byte is sent"


def test_everything_out_of_reach_is_named_at_once(closed):
    with pytest.raises(MachineError) as caught:
        require_reached(
            [arm(f"http://127.0.0.1:{closed}/v1", "a"), arm("http://no.such.host.invalid/v1", "b")], path="/nowhere"
        )
    said = str(caught.value)
    assert "the whole batch would be INFRA" in said and caught.value.exit == Exit.USAGE
    assert [problem.where for problem in caught.value.problems] == [
        "git", "arm a: model.endpoint", "arm b: model.endpoint",
    ]  # fmt: skip
    assert f"127.0.0.1:{closed} cannot be reached" in said and "no.such.host.invalid:80" in said


def test_an_arm_without_network_has_no_endpoint(closed):
    require_reached([arm(f"http://127.0.0.1:{closed}/v1", network="none")])


def test_agents_that_run_no_program_need_no_git():
    require_reached([arm("", network="none", agent="oracle"), arm("", network="none", agent="nop")], path="/nowhere")
    with pytest.raises(MachineError, match="not started"):
        require_reached([arm("", network="none", agent="script")], path="/nowhere")
    assert "/usr/bin" in AGENTS_PATH
