"""SIGKILL of the gateway and of the runner, mid-stream and between calls: what was lost is unknown, never zero."""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from denominator.catalog.failpoints import FAILPOINTS
from denominator.records.rows import AttemptRow, CallRow
from denominator.records.values import NotMeasured
from denominator.testing.scripted_server import Fault, ScriptedServer
from e2e import model_runs, runs
from simulation import sessions

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]
TASKS = ("clamp-low", "count-words", "double-it")
PROXY = b"denominator.adapters.gateway.proxy"


def gateways(runner: int) -> list[int]:
    """Gateway processes that a runner has started and that live."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == runner and PROXY in (path / "cmdline").read_bytes():
                found.append(int(path.name))
        except (OSError, ValueError):
            continue
    return found


class Trigger:
    """Does something at the n-th request of a run, while the provider is about to answer it."""

    def __init__(self, wanted: Callable[[int], bool], act: Callable[[int], None]) -> None:
        self.wanted, self.act = wanted, act
        self.runner = 0

    def fault(self, number: int, request: Mapping[str, Any]) -> Fault | None:
        if self.wanted(number):
            for pid in [self.runner] if self.act is kill_runner else gateways(self.runner):
                self.act(pid)
        return None


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


def kill_runner(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


def started(folder: Path, trigger: Trigger, *args: str) -> runs.Done:
    process = runs.start(folder, *args, env={model_runs.KEY_ENV: model_runs.KEY})
    trigger.runner = process.pid
    done = runs.Done(process)
    assert gone(lambda: not gateways(process.pid)), "a gateway outlives its runner"
    return done


def gone(check: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        if check():
            return True
        time.sleep(0.05)
    return False


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lost")


def row_of(folder: Path, run_id: str, task: str, attempt: int = 1) -> AttemptRow:
    return runs.rows_of(folder, run_id)[task, 1, attempt]


def calls_of(folder: Path, run_id: str) -> list[CallRow]:
    return list(runs.opened(folder, run_id).journal.calls())


def lost(row: AttemptRow) -> bool:
    return row.first_unrecovered is not None and row.first_unrecovered.cause == "gateway_lost"


def test_a_gateway_that_is_killed_in_a_call_ends_the_attempt_and_the_next_gets_a_new_one(folder: Path) -> None:
    trigger = Trigger(lambda number: number == 1, kill)
    with ScriptedServer(model_runs.commands, trigger.fault) as server:
        model_runs.situation(
            folder, server, ["once"], TASKS, run={"concurrency": 1}, retry={"infra": 1}, budget={"attempts": 2}
        )  # fmt: skip
        done = started(folder, trigger, "run", "envelope.toml", "--run-id", "g")
    assert done.code in (0, 1), done.err
    rows = runs.rows_of(folder, "g")
    (first,) = [row for row in rows.values() if lost(row)]
    assert (first.stop_reason, first.closed, first.usage.complete) == ("infra", True, False)
    assert isinstance(first.usage.prompt, NotMeasured)
    said = model_runs.labels_of(folder, "g", first.key)
    assert (said["outcome"], said["origin"], said["reason"]) == ("unscoreable", "INFRA", "env_flake")
    again = rows[first.key.task_id, 1, 2]
    assert (again.cause, again.usage.complete, lost(again)) == ("retry", True, False)
    assert len(rows) == 4 and all(row.closed for row in rows.values())
    calls = calls_of(folder, "g")
    assert [call.outcome for call in calls if call.key == first.key] == ["open"]
    assert {call.outcome for call in calls if call.key != first.key} == {"ok"}
    assert all(isinstance(call.reserved_tokens, int) and call.reserved_tokens > 0 for call in calls)


@pytest.fixture
def held() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


def test_a_gateway_that_is_killed_in_the_middle_of_a_stream_leaves_its_spend_unknown(
    folder: Path, held: threading.Event
) -> None:
    begun = threading.Event()

    def fault(number: int, _request: Mapping[str, Any]) -> Fault | None:
        return model_runs.held_stream(begun, held) if number == 1 else None

    with ScriptedServer(model_runs.commands, fault) as server:
        model_runs.situation(folder, server, ["stream"], TASKS, run={"concurrency": 1})
        process = runs.start(
            folder, "run", "envelope.toml", "--run-id", "s", env={model_runs.KEY_ENV: model_runs.KEY}
        )  # fmt: skip
        assert begun.wait(60)
        time.sleep(0.5)  # the agent reads the first event meanwhile; nothing is wrong when it has not
        (pid,) = gateways(process.pid)
        kill(pid)
        held.set()
        done = runs.Done(process)
    assert done.code in (0, 1), done.err
    ledger = runs.ledger_of(folder, "s")
    (first,) = [row for row in ledger.rows if lost(row)]
    assert (first.stop_reason, first.usage.complete) == ("infra", False)
    assert [call.outcome for call in ledger.calls if call.key == first.key] == ["open"]
    assert all(row.closed for row in ledger.rows)


def test_a_gateway_that_dies_again_and_again_stops_the_run_and_resume_completes_it(folder: Path) -> None:
    trigger = Trigger(lambda _number: True, kill)
    with ScriptedServer(model_runs.commands, trigger.fault) as server:
        model_runs.situation(folder, server, ["once"], TASKS, run={"concurrency": 1}, budget={"repeats": 3})
        done = started(folder, trigger, "run", "envelope.toml", "--run-id", "again")
        assert done.code == 4, done.err
        assert "died again and again" in done.err and "resume" in done.err
        before = {row.key: row for row in runs.ledger_of(folder, "again").rows if row.closed}
        assert len(before) == 6 and all(lost(row) for row in before.values())
        trigger.wanted = lambda _number: False
        resumed = started(folder, trigger, "resume", "again")
    assert resumed.code in (0, 1), resumed.err
    after = {row.key: row for row in runs.ledger_of(folder, "again").rows}
    assert len(after) == 9 and all(row.closed for row in after.values())
    assert {key: after[key] for key in before} == before
    assert not any(lost(row) for key, row in after.items() if key not in before)


def test_a_runner_that_is_killed_takes_the_gateway_along_and_the_lost_call_is_spend_unknown(folder: Path) -> None:
    trigger = Trigger(lambda number: number == 2, kill_runner)
    cap = 10_000
    with ScriptedServer(model_runs.commands, trigger.fault) as server:
        model_runs.situation(
            folder, server, ["once"], TASKS, run={"concurrency": 1, "run_cap_tokens": cap}, budget={"tokens": 5000}
        )  # fmt: skip
        done = started(folder, trigger, "run", "envelope.toml", "--run-id", "r")
        assert done.code == -signal.SIGKILL
        trigger.wanted = lambda _number: False
        (open_call,) = [call for call in calls_of(folder, "r") if call.outcome == "open"]
        resumed = started(folder, trigger, "resume", "r")
    assert resumed.code in (0, 1), resumed.err
    rows = runs.rows_of(folder, "r")
    assert all(row.closed for row in rows.values())
    row = rows[open_call.key.task_id, 1, 1]
    assert (row.incarnations, row.usage.complete) == (2, False)
    calls = [(call.incarnation, call.outcome) for call in calls_of(folder, "r") if call.key == open_call.key]
    assert calls == [(1, "open"), (2, "ok")]
    # What the lost call may have cost stays taken from the cap of the run, not from the attempt's own budget.
    spending = model_runs.spending_of(folder, "r")
    assert isinstance(open_call.reserved_tokens, int)
    assert spending.run_tokens >= open_call.reserved_tokens
    assert spending.tokens_of(open_call.key, 2) < open_call.reserved_tokens


CALL_POINTS = {
    # point -> the call of that incarnation as the journal has it afterwards, and whether the provider was asked
    "call.intent.before": ([], False),
    "call.intent.written": ([], False),
    "call.intent.synced": (["open"], False),
    "call.sent": (["open"], None),
    "call.received": (["open"], True),
    "call.done.written": (["open"], True),
    "call.done.synced": (["ok"], True),
}


def test_a_runner_that_is_killed_on_either_side_of_each_row_of_a_call_forgets_no_spend(folder: Path) -> None:
    assert list(CALL_POINTS) == [point.name for point in FAILPOINTS if point.needs == "model"]
    with ScriptedServer(model_runs.commands) as server:
        model_runs.situation(
            folder, server, ["once"], TASKS[:1], run={"concurrency": 1, "warmup_tasks": 0},
            budget={"incarnations_max": 20},
        )  # fmt: skip
        env = {model_runs.KEY_ENV: model_runs.KEY, "XDG_CACHE_HOME": runs.cache_home(folder)}
        verb = ("run", "envelope.toml", "--run-id", "p", "--only", TASKS[0])
        for number, (point, (kept, asked)) in enumerate(CALL_POINTS.items(), 1):
            before = len(server.requests)
            process = sessions.start(folder, *verb, env={**env, "DENOMINATOR_FAILPOINTS": f"{point}=kill"})
            assert sessions.finish(process, folder) == -signal.SIGKILL, point
            assert gone(lambda pid=process.pid: not gateways(pid)), point
            calls = [call.outcome for call in calls_of(folder, "scratch-p") if call.incarnation == number]
            assert calls == kept, point
            assert asked is None or (len(server.requests) > before) == asked, point
            verb = ("resume", "scratch-p")
        done = runs.cli(folder, *verb, env={model_runs.KEY_ENV: model_runs.KEY})
    assert done.code == 0, done.err  # a scratch run is no number anyway
    row = row_of(folder, "scratch-p", TASKS[0])
    assert (row.closed, row.incarnations, row.usage.complete) == (True, 8, False)
    lost = [call.reserved_tokens for call in calls_of(folder, "scratch-p") if call.outcome == "open"]
    assert len(lost) == 4 and all(isinstance(tokens, int) and tokens > 0 for tokens in lost)
    assert model_runs.spending_of(folder, "scratch-p").run_tokens >= sum(map(int, lost))


def test_a_gateway_that_dies_between_calls_ends_the_attempt_too_and_what_was_spent_is_known(folder: Path) -> None:
    with ScriptedServer(model_runs.commands) as server:
        model_runs.situation(folder, server, ["slow"], TASKS, run={"concurrency": 1})
        process = runs.start(
            folder, "run", "envelope.toml", "--run-id", "between", env={model_runs.KEY_ENV: model_runs.KEY}
        )
        # Waits for the three attempts in turn: each sleeps after its first answer, and its gateway dies then.
        for number in range(1, 4):
            assert gone(lambda number=number: len(settled(folder, "between")) == number)
            (pid,) = gateways(process.pid)
            kill(pid)
        done = runs.Done(process)
    assert done.code in (0, 1), done.err
    for row in runs.ledger_of(folder, "between").rows:
        assert lost(row)
        assert (row.stop_reason, row.usage.complete, row.usage.calls) == ("infra", True, 1)
        assert isinstance(row.agent_ms, int) and row.agent_ms < 20_000


def settled(folder: Path, run_id: str) -> list[CallRow]:
    if not (folder / "runs" / run_id / "journal.db").exists():
        return []
    return [call for call in calls_of(folder, run_id) if call.outcome != "open"]
