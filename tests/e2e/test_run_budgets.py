"""Budgets at the wire: a refused call ends the attempt as the agent's own timeout, a reached cap of the run censors it."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from denominator.testing.scripted_server import Fault, ScriptedServer
from e2e import model_runs, runs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]
TASK = "clamp-low"
model_runs.SOLVES.update({"bounds.py": runs.SOLVE[TASK]})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("budgets")


def test_a_refused_token_budget_is_the_agents_own_timeout_whatever_it_did_after(folder: Path) -> None:
    with ScriptedServer(model_runs.commands) as server:
        model_runs.situation(folder, server, ["big", "stubborn"], [TASK], budget={"tokens": 1500})
        done = model_runs.run(folder, "t")
        asked = len(server.requests)
    assert done.code in (0, 1), done.err
    assert asked == 2, "a refused call reached the provider"
    for mode in ("big", "stubborn"):
        (name,) = [path.name for path in (folder / "runs").iterdir() if path.name.endswith(mode)]
        row, said = model_runs.judged(folder, name)[TASK]
        assert (row.killed_by, row.stop_reason, row.after_cap, row.run_cap_cut) == (
            "budget_tokens",
            "budget",
            True,
            False,
        )
        assert (said["outcome"], said["origin"], said["mix"]) == ("fail", "MODEL", "TIMEOUT")
        assert (row.usage.calls, row.usage.complete) == (1, True)
        first, second = runs.ledger_of(folder, name).calls
        assert (second.outcome, second.sent, second.status, second.error) == ("gave_up", False, 400, "budget_exhausted")
        assert (first.cap_state, second.cap_state) == ("", "tokens")
        (text,) = runs.texts(runs.opened(folder, name), "stdout").values()
        assert "refused 400" in text
        assert '"code": "budget_exhausted"' in text or '"code":"budget_exhausted"' in text
        assert "invalid_request_error" in text
        assert isinstance(row.agent_ms, int)
        assert row.agent_ms < 9_000 if mode == "big" else 9_000 < row.agent_ms < 25_000


@pytest.mark.parametrize(
    ("budget", "word", "made"), [({"calls": 2}, "budget_calls", 2), ({"tool_calls": 1}, "budget_tool_calls", 1)]
)
def test_calls_and_tool_calls_are_counted_at_the_wire(
    folder: Path, budget: dict[str, int], word: str, made: int
) -> None:
    with ScriptedServer(model_runs.commands) as server:
        model_runs.situation(folder, server, ["many"], [TASK], budget=budget)
        done = model_runs.run(folder, word.replace("_", "-"))
        assert len(server.requests) == made
    assert done.code in (0, 1), done.err
    row, said = model_runs.judged(folder, word.replace("_", "-"))[TASK]
    assert (row.killed_by, row.stop_reason, said["mix"]) == (word, "budget", "TIMEOUT")


def test_room_that_calls_of_a_failing_provider_hold_is_not_the_agents_spending(folder: Path) -> None:
    def fault(_number: int, _request: Mapping[str, Any]) -> Fault | None:
        return Fault(500, {"error": {"type": "server_error"}})

    with ScriptedServer(model_runs.commands, fault) as server:
        model_runs.situation(
            folder, server, ["unlucky"], [TASK], budget={"tokens": 2000}, policy={"on_timeout": "grade"}
        )
        done = model_runs.run(folder, "unlucky")
        asked = len(server.requests)
    assert done.code in (0, 1), done.err
    row, said = model_runs.judged(folder, "unlucky")[TASK]
    assert asked == 2
    assert (row.killed_by, row.stop_reason, row.after_cap) == ("harness_stop", "transport", False)
    assert (said["outcome"], said["origin"], said["reason"]) == ("unscoreable", "INFRA", "provider_error")
    calls = runs.ledger_of(folder, "unlucky").calls
    assert {call.cap_state for call in calls[2:]} == {"failed_calls"}
    assert not any(call.sent for call in calls[2:])
    assert row.usage.complete is False


def test_an_agent_that_leaves_its_streams_gets_neither_free_tokens_nor_an_excuse(folder: Path) -> None:
    begun, held = threading.Event(), threading.Event()

    def fault(number: int, _request: Mapping[str, Any]) -> Fault | None:
        return model_runs.held_stream(begun, held) if number == 1 else None

    with ScriptedServer(model_runs.commands, fault) as server:
        model_runs.situation(folder, server, ["leaver"], [TASK], budget={"tokens": 1300})
        done = model_runs.run(folder, "leaver")
        asked = len(server.requests)
        held.set()
    assert done.code in (0, 1), done.err
    row, said = model_runs.judged(folder, "leaver")[TASK]
    first, second = runs.ledger_of(folder, "leaver").calls
    assert (asked, first.client_left, first.error, second.cap_state) == (1, True, "client_left", "tokens")
    assert (row.killed_by, said["outcome"], said["origin"], said["mix"]) == (
        "budget_tokens",
        "fail",
        "MODEL",
        "TIMEOUT",
    )
    assert row.usage.complete is False


def test_what_stands_on_disk_is_graded_where_the_envelope_says_so(folder: Path) -> None:
    with ScriptedServer(model_runs.commands) as server:
        model_runs.situation(folder, server, ["big"], [TASK], budget={"tokens": 1500}, policy={"on_timeout": "grade"})
        done = model_runs.run(folder, "graded")
    assert done.code in (0, 1), done.err
    row, said = model_runs.judged(folder, "graded")[TASK]
    assert (row.killed_by, row.after_cap, row.grade) == ("budget_tokens", True, "green")
    assert (said["outcome"], said["origin"]) == ("pass", "MODEL")


def test_a_pause_of_the_provider_is_no_working_time(folder: Path) -> None:
    def fault(number: int, _request: Mapping[str, Any]) -> Fault | None:
        return Fault(429, {"error": {"type": "rate_limit_error"}}, {"Retry-After": "6"}) if number == 1 else None

    with ScriptedServer(model_runs.commands, fault) as server:
        model_runs.situation(folder, server, ["patient"], [TASK], budget={"working_s": 5, "wall_s": 30})
        done = model_runs.run(folder, "paused")
    assert done.code in (0, 1), done.err
    row, said = model_runs.judged(folder, "paused")[TASK]
    assert said["outcome"] == "pass"
    assert isinstance(row.paused_ms, int) and isinstance(row.working_ms, int) and isinstance(row.agent_ms, int)
    assert 5_900 <= row.paused_ms <= 8_000
    assert row.working_ms == row.agent_ms - row.paused_ms < 5_000


def test_the_wall_clock_that_runs_out_in_a_pause_is_the_providers(folder: Path) -> None:
    def fault(_number: int, _request: Mapping[str, Any]) -> Fault | None:
        return Fault(429, {"error": {"type": "rate_limit_error"}}, {"Retry-After": "600"})

    with ScriptedServer(model_runs.commands, fault) as server:
        model_runs.situation(folder, server, ["patient"], [TASK], budget={"working_s": 6, "wall_s": 8})
        done = model_runs.run(folder, "stuck")
    assert done.code in (0, 1), done.err
    row, said = model_runs.judged(folder, "stuck")[TASK]
    assert (row.killed_by, row.stop_reason) == ("budget_wall", "infra")
    assert (said["outcome"], said["origin"], said["reason"]) == ("unscoreable", "INFRA", "provider_pause")


def test_working_time_ends_an_attempt_before_the_wall_does(folder: Path) -> None:
    with ScriptedServer(model_runs.commands) as server:
        model_runs.situation(folder, server, ["slow"], [TASK], budget={"working_s": 2, "wall_s": 30})
        done = model_runs.run(folder, "slow")
    assert done.code in (0, 1), done.err
    row, said = model_runs.judged(folder, "slow")[TASK]
    assert (row.killed_by, row.stop_reason, said["mix"]) == ("budget_working", "timeout", "TIMEOUT")
    assert isinstance(row.agent_ms, int) and row.agent_ms < 20_000
