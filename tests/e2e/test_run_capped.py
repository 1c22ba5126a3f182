"""A run whose cap is reached, and one whose account is spent: what is cut, what never starts, what `resume` may do."""

from __future__ import annotations

import json
import shutil
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
TASKS = ("clamp-low", "count-words", "double-it")
SPENT = Fault(429, {"error": {"type": "insufficient_quota", "code": "insufficient_quota"}})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("capped")


def stopped(folder: Path, run_id: str) -> list[tuple[Any, Any]]:
    events = runs.opened(folder, run_id).journal.events()
    return [(e.payload["why"], e.payload.get("not_started")) for e in events if e.kind == "run.stopped"]


def test_a_reached_cap_of_the_run_cuts_one_attempt_and_keeps_the_rest_from_starting(folder: Path) -> None:
    cap = 300
    with ScriptedServer(model_runs.commands) as server:
        model_runs.situation(folder, server, ["once"], TASKS, run={"concurrency": 1, "run_cap_tokens": cap})
        done = model_runs.run(folder, "capped")
        asked = len(server.requests)
        again = model_runs.resume(folder, "capped")
        assert len(server.requests) == asked, "resume went on against the same cap"
    assert (done.code, again.code) == (1, 1), done.err
    ledger = runs.ledger_of(folder, "capped")
    cut = [row for row in ledger.rows if row.run_cap_cut]
    never = [row.key.task_id for row in ledger.rows if not row.started]
    assert len(cut) == 1 and len(never) >= 1
    (row,) = cut
    assert (row.stop_reason, row.after_cap, row.grade) == ("budget", False, "none")
    said = model_runs.judged(folder, "capped")[row.key.task_id][1]
    assert (said["outcome"], said["origin"], said["reason"]) == ("unscoreable", "INFRA", "quota_exhausted")
    shown = sum(
        call.usage.prompt + call.usage.completion for call in ledger.calls
        if isinstance(call.usage.prompt, int) and isinstance(call.usage.completion, int)
    )  # fmt: skip
    assert 0 < shown <= cap
    assert [call.cap_state for call in ledger.calls if call.cap_state] == ["run_cap"]
    names = [f"{task} r1 a1" for task in never]
    assert stopped(folder, "capped") == [("run_cap", names)], "a resume that can do nothing changes nothing"
    card = json.loads((folder / "runs" / "capped" / "card.json").read_text())
    assert sorted(str(one) for one in card["never_started"]) == sorted(card["never_started"])
    assert all(any(task in str(one) for one in card["never_started"]) for task in never)
    assert (
        "the cap of the run is reached; never started: " + ", ".join(names)
        in (folder / "runs" / "capped" / "run.log").read_text()
    )
    status = runs.cli(folder, "status", "capped", "--json")
    told = json.loads(status.out)
    assert (status.code, told["open"], told["never_started"]) == (0, 0, len(never)), "nothing is left to resume"
    assert (told["promised"], told["closed"]) == (3, 3 - len(never))


def test_a_spent_account_stops_the_run_and_resume_goes_on_when_it_is_filled(folder: Path) -> None:
    filled: list[bool] = []

    def fault(_number: int, request: Mapping[str, Any]) -> Fault | None:
        return None if filled or "clamp" in request["messages"][0]["content"] else SPENT

    with ScriptedServer(model_runs.commands, fault) as server:
        model_runs.situation(folder, server, ["once"], TASKS, run={"concurrency": 1})
        done = model_runs.run(folder, "spent")
        assert done.code == 4, done.err
        rows = runs.ledger_of(folder, "spent").rows
        failed = [row for row in rows if row.first_unrecovered is not None]
        waiting = [row.key.task_id for row in rows if not row.started]
        assert [row.first_unrecovered.cause for row in failed if row.first_unrecovered] == ["quota_exhausted"]
        assert len(waiting) == 1
        assert stopped(folder, "spent") == [("quota_exhausted", [f"{waiting[0]} r1 a1"])]
        asked = len(server.requests)
        filled.append(True)
        again = model_runs.resume(folder, "spent")
        assert len(server.requests) == asked + 1
    assert again.code in (0, 1), again.err
    after = {row.key.task_id: row for row in runs.ledger_of(folder, "spent").rows}
    assert after[waiting[0]].closed
    assert after[failed[0].key.task_id] == failed[0]
