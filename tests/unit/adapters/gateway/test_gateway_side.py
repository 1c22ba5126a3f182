"""The runner's side of the gateway: groups, grants, budgets, a process that dies; the process is a stand-in without HTTP."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from denominator.adapters.clock import SystemClock
from denominator.adapters.failpoints import NoFailpoints
from denominator.adapters.gateway.process import environment
from denominator.adapters.gateway.proxy.settings import Settings
from denominator.adapters.gateway.relay import Relay
from denominator.adapters.store.sqlite import SqliteJournal
from denominator.errors import OpenPromisesError
from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow
from denominator.run.spending import Caps, Spending

STANDIN = (sys.executable, "-P", str(Path(__file__).with_name("standin.py")))
ATTEMPT = AttemptKey("run", "t1")


class Client:
    """A connection that plays calls."""

    def __init__(self, path: Path) -> None:
        self.wire = socket.socket(socket.AF_UNIX)
        self.wire.settimeout(30)
        self.wire.connect(str(path))
        self.lines = self.wire.makefile("rb")

    def begin(self, reserved: int = 10, **told) -> dict:
        self.wire.sendall(json.dumps({"reserved": reserved, **told}).encode() + b"\n")
        return json.loads(self.lines.readline())

    def end(self) -> None:
        self.wire.sendall(b"\n")
        assert self.lines.readline() == b"done\n"

    def call(self, reserved: int = 10, **told) -> dict:
        grant = self.begin(reserved, **told)
        if not grant["status"]:
            self.end()
        return grant


class Bench:
    def __init__(self, folder: Path, caps: Caps, restarts: int = 5) -> None:
        self.folder = folder
        self.journal = SqliteJournal(folder / "journal.db", "run", SystemClock(), NoFailpoints(), create=True)
        self.groups: list[int] = []
        self.spending = Spending(caps)
        self.fail: Exception | None = None
        self.supervisor = self.supervised(restarts)
        self.opened = 0

    def supervised(self, restarts: int) -> Relay:
        return Relay(
            Settings(endpoint="http://127.0.0.1:1/v1"),
            environ={},
            clock=SystemClock(),
            record=self.record,
            guard=self.spending,
            restarts=restarts,
            command=STANDIN,
        )

    def record(self, *rows: CallRow) -> None:
        if self.fail is not None:
            raise self.fail
        self.groups.append(len(rows))
        self.journal.put_calls(*rows)

    def open(self, key: AttemptKey = ATTEMPT, incarnation: int = 1):
        self.opened += 1
        folder = self.folder / f"l{self.opened}"
        folder.mkdir()
        return self.supervisor.open(key, incarnation, folder, uid=None)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path, Caps(tokens=100, calls=8, tool_calls=5, run_tokens=150))
    yield made
    made.supervisor.shutdown()
    made.journal.close()


def test_an_intent_is_in_the_journal_before_its_grant_and_its_result_before_the_close_is_over(bench: Bench) -> None:
    lease = bench.open()
    client = Client(lease.socket)
    assert client.begin(30, usage=[20, 5], tools=2) == {"seq": 1, "status": 0, "word": "", "said": ""}
    (intent,) = bench.journal.calls(ATTEMPT)
    assert (intent.outcome, intent.seq, intent.reserved_tokens) == ("open", 1, 30)
    assert bench.spending.run_tokens == 30
    client.end()
    (row,) = lease.close()
    assert list(bench.journal.calls(ATTEMPT)) == [row]
    assert (row.outcome, row.reserved_tokens, bench.spending.run_tokens) == ("ok", 30, 25)
    assert lease.close() == [row]


def test_a_refused_call_is_a_row_that_cost_nothing_and_names_its_budget(bench: Bench) -> None:
    lease = bench.open()
    client = Client(lease.socket)
    client.call(60, usage=[50, 5])
    assert lease.refused_by == ""
    refused = client.call(60, usage=[1, 1])
    assert (refused["status"], refused["word"], refused["seq"]) == (400, "budget_exhausted", 2)
    assert "token budget" in refused["said"]
    client.call(45, usage=[1, 1])
    first, second, third = lease.close()
    assert (second.outcome, second.sent, second.status, second.error, second.cap_state) == (
        "gave_up", False, 400, "budget_exhausted", "tokens",
    )  # fmt: skip
    assert (first.cap_state, third.cap_state, lease.refused_by) == ("", "", "tokens")
    assert 0 < lease.refused_ns <= SystemClock().mono_ns()


def test_the_run_cap_is_one_for_all_attempts(bench: Bench) -> None:
    leases = [bench.open(AttemptKey("run", f"t{n}")) for n in range(3)]
    clients = [Client(lease.socket) for lease in leases]
    granted = [client.begin(60, usage=[10, 10])["status"] == 0 for client in clients]
    assert granted == [True, True, False]
    assert [lease.refused_by for lease in leases] == ["", "", "run_cap"]
    assert bench.spending.capped
    assert Spending(Caps(run_tokens=150), bench.journal.calls()).capped


def test_calls_that_come_at_once_are_granted_without_loss_in_few_transactions(tmp_path: Path) -> None:
    bench = Bench(tmp_path, Caps())
    lease = bench.open()
    clients = [Client(lease.socket) for _ in range(40)]
    seqs: list[int] = []

    def one(client: Client) -> None:
        for _ in range(5):
            seqs.append(client.call(1, usage=[1, 1])["seq"])

    threads = [threading.Thread(target=one, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rows = lease.close()
    bench.supervisor.shutdown()
    assert sorted(seqs) == list(range(1, 201)) == [row.seq for row in rows]
    assert {row.outcome for row in rows} == {"ok"}
    assert sum(bench.groups) == 400
    assert max(bench.groups) > 1


def test_what_the_process_refused_itself_gets_a_number_and_a_row(bench: Bench) -> None:
    lease = bench.open()
    client = Client(lease.socket)
    client.wire.sendall(b'{"own": true}\n')
    assert client.lines.readline() == b"done\n"
    client.call(usage=[1, 1])
    assert [(row.seq, row.purpose, row.outcome) for row in lease.close()] == [
        (1, "refused", "gave_up"),
        (2, "solve", "ok"),
    ]


@pytest.mark.parametrize("how", ["itself", "kill -9"])
def test_a_process_that_dies_loses_its_leases_and_the_next_attempt_gets_a_new_one(bench: Bench, how: str) -> None:
    lease = bench.open()
    client = Client(lease.socket)
    client.call(20, usage=[3, 4])
    client.begin(20, usage=[3, 4])
    first = bench.supervisor.pid
    if how == "itself":
        client.wire.sendall(b"\n")
        client.lines.readline()
        client.begin(20)
        Client(lease.socket).wire.sendall(b'{"die": true}\n')
    else:
        os.kill(first, signal.SIGKILL)
    assert lease.closed.wait(30)
    assert lease.lost
    assert not os.path.exists(f"/proc/{first}")
    rows = lease.close()
    assert rows[-1].outcome == "open"
    assert [row.outcome for row in bench.journal.calls()] == [row.outcome for row in rows]
    # The open intent's worst case stays spent.
    assert bench.spending.run_tokens == (34 if how == "itself" else 27)
    again = bench.open(incarnation=2)
    assert bench.supervisor.pid != first
    assert Client(again.socket).call(usage=[1, 1])["seq"] == 1
    assert not again.lost
    again.close()


def test_a_process_that_dies_again_and_again_is_not_started_for_ever(tmp_path: Path) -> None:
    bench = Bench(tmp_path, Caps(), restarts=2)
    for _ in range(3):
        lease = bench.open()
        os.kill(bench.supervisor.pid, signal.SIGKILL)
        lease.closed.wait()
    with pytest.raises(OpenPromisesError, match="again and again") as found:
        bench.open()
    assert (found.value.exit, found.value.fix) == (4, "denominator resume")


def test_a_command_that_is_no_gateway_is_not_started_for_ever(tmp_path: Path) -> None:
    bench = Bench(tmp_path, Caps())
    bench.supervisor._command = (sys.executable, "-c", "import sys; sys.exit(3)")
    with pytest.raises(OpenPromisesError):
        bench.open()


def test_a_place_where_nobody_can_listen_is_trouble_of_the_machine(bench: Bench) -> None:
    folder = bench.folder / "nowhere"
    folder.mkdir()
    with pytest.raises(OSError, match="no such place"):
        bench.supervisor.open(ATTEMPT, 1, folder, uid=None)


def test_calls_that_cannot_be_recorded_are_not_made_and_the_lease_says_why(bench: Bench) -> None:
    lease, other = bench.open(), bench.open(AttemptKey("run", "t2"))
    client = Client(lease.socket)
    client.call(usage=[1, 1])
    bench.fail = OSError(28, "no space")
    assert client.call()["word"] == "not_recorded"
    bench.fail = None
    # What was not recorded may not be forgotten by going on: no further call of any attempt is made.
    assert Client(other.socket).call()["word"] == "not_recorded"
    for one in (lease, other):
        with pytest.raises(OSError, match="no space"):
            one.close()
    assert [row.seq for row in bench.journal.calls()] == [1]


def test_the_process_gets_the_key_by_its_name_and_nothing_else() -> None:
    environ = {"KEY": "sk-canary-0123456789", "HOME": "/root", "OTHER_TOKEN": "x", "SSL_CERT_FILE": "/ca.pem"}
    given = environment("KEY", environ)
    assert set(given) == {"PYTHONPATH", "KEY", "SSL_CERT_FILE"}
    assert "KEY" not in environment("", environ)
