"""The same caps through a real journal and a process of its own that is killed: what the ledger shows never passes them."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.adapters.clock import SystemClock
from denominator.adapters.failpoints import NoFailpoints
from denominator.adapters.gateway.proxy.settings import Settings
from denominator.adapters.gateway.relay import Relay
from denominator.adapters.store.sqlite import SqliteJournal
from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow
from denominator.run.spending import RUN_CAP, Caps, Spending
from denominator.wire.providers import is_free
from unit.adapters.gateway.test_gateway_side import STANDIN, Client

TASKS = 3
CAPS = Caps(tokens=120, run_tokens=260, calls=9)

# call: task, reserved, share of it that is used (None: nobody knows); end: which call in flight; crashes of either process.
CALLS = st.tuples(st.just("call"), st.integers(0, TASKS - 1), st.integers(1, 90), st.none() | st.integers(0, 100))
STEPS = st.lists(
    st.one_of(
        CALLS, CALLS, CALLS,
        st.tuples(st.just("end"), st.integers(0, 9)), st.tuples(st.just("end"), st.integers(0, 9)),
        st.tuples(st.just("gateway dies")), st.tuples(st.just("runner dies")),
    ),
    min_size=5, max_size=25,
)  # fmt: skip


class Runner:
    """A runner with its journal; `flying` are clients with a call that was granted and has not ended."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.journal = SqliteJournal(folder / "journal.db", "run", SystemClock(), NoFailpoints(), create=True)
        self.incarnation, self.opened = 0, 0
        self.begin()

    def begin(self) -> None:
        self.spending = Spending(CAPS, self.journal.calls())
        self.relay = Relay(
            Settings(endpoint="http://127.0.0.1:1/v1"), environ={}, clock=SystemClock(), record=self.journal.put_calls,
            guard=self.spending, restarts=99, command=STANDIN,
        )  # fmt: skip
        self.leases: dict[int, object] = {}
        self.again()

    def again(self) -> None:
        """Every attempt in its next incarnation."""
        self.incarnation += 1
        self.flying: list[Client] = []
        for task in range(TASKS):
            self.opened += 1
            place = self.folder / str(self.opened)
            place.mkdir()
            self.leases[task] = self.relay.open(AttemptKey("run", f"t{task}"), self.incarnation, place, uid=None)

    def step(self, what: str, *told) -> None:
        if what == "call":
            task, reserved, share = told
            prompt = None if share is None else reserved * share // 100 // 2
            usage = None if prompt is None else [prompt, reserved * share // 100 - prompt]
            client = Client(self.leases[task].socket)
            outcome = "gave_up" if usage is None else "ok"
            if not client.begin(reserved, usage=usage, outcome=outcome)["status"]:
                self.flying.append(client)
        elif what == "end" and self.flying:
            self.flying.pop(told[0] % len(self.flying)).end()
        elif what == "gateway dies":
            os.kill(self.relay.pid, signal.SIGKILL)
            for lease in self.leases.values():
                assert lease.closed.wait(30)
            self.again()
        elif what == "runner dies":
            # Its thread would go on hearing: without the process there is nothing more to hear.
            os.kill(self.relay.pid, signal.SIGKILL)
            for lease in self.leases.values():
                assert lease.closed.wait(30)
            self.begin()

    def settled(self) -> list[CallRow]:
        """The rows, once the runner has written what the process told it last."""
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            rows = list(self.journal.calls())
            if self.spending.run_tokens == sum(map(cost, rows)):
                return rows
            time.sleep(0.005)
        raise AssertionError("the accounts and the journal do not agree")

    def close(self) -> None:
        self.relay.shutdown()
        self.journal.close()


def cost(row: CallRow) -> int:
    """What the ledger shows of a call: used, or what was reserved where nobody knows."""
    if isinstance(row.usage.prompt, int) and isinstance(row.usage.completion, int):
        return row.usage.prompt + row.usage.completion
    return 0 if is_free(row) else int(row.reserved_tokens)


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@given(STEPS)
def test_no_cap_is_passed_whatever_is_used_lost_or_killed(steps) -> None:
    with tempfile.TemporaryDirectory(prefix="spending") as folder:
        runner = Runner(Path(folder))
        try:
            for step in steps:
                runner.step(*step)
                rows = runner.settled()
                assert sum(map(cost, rows)) <= CAPS.run_tokens
                for key, incarnation in {(row.key, row.incarnation) for row in rows}:
                    mine = [row for row in rows if (row.key, row.incarnation) == (key, incarnation)]
                    assert sum(map(cost, mine)) <= CAPS.tokens
                    assert sum(row.cap_state == "" for row in mine) <= CAPS.calls
                assert runner.spending.capped == any(row.cap_state == RUN_CAP for row in rows)
            folded = Spending(CAPS, runner.journal.calls())
            assert folded.run_tokens == runner.spending.run_tokens
        finally:
            runner.close()
