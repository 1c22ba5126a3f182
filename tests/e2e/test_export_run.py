"""Exports of a real run: its trajectories are what the gateway recorded, its statement is about the files that lie there."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from denominator.pipeline.results import judge_run
from denominator.readers.tools import ToolCalls, facts_of, read_trajectory
from denominator.records.facts import ToolFacts
from denominator.testing.scripted_server import ScriptedServer
from e2e import model_runs, runs
from e2e.test_run_wire_facts import AGENT, STEPS, TASK

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export")
    with ScriptedServer(STEPS) as server:
        model_runs.situation(folder, server, ["quiet"], [TASK])
        (folder / "agent" / "ask.py").write_text(AGENT)
        done = model_runs.run(folder, "m")
    assert done.code in (0, 1), done.err
    return folder


def test_a_trajectory_is_what_the_gateway_recorded(place: Path) -> None:
    said = runs.cli(place, "export", "atif", "m", "-o", "out", "--json")
    assert said.code in (0, 1), said.err
    assert said.json["files"] == 1
    data = (place / "out" / f"{TASK}.r1.a1.json").read_bytes()
    document: dict[str, Any] = json.loads(data)
    (row,) = judge_run(runs.opened(place, "m")).ledger.rows
    calls = [one for one in runs.opened(place, "m").journal.calls() if one.key == row.key]
    read = read_trajectory(data)
    assert isinstance(read, ToolCalls) and isinstance(row.tools, ToolFacts)
    assert [f"{one.tool}:{one.arguments_sha256}" for one in read.calls] == [
        sha for one in calls for sha in one.tool_calls
    ]
    assert facts_of(read, row.tools.source) == row.tools
    assert [step["source"] for step in document["steps"][:2]] == ["system", "user"]
    assert [step["message"] for step in document["steps"][:2]] == ["be brief", "go"]
    assert document["final_metrics"]["total_prompt_tokens"] == row.usage.prompt
    assert sum(step.get("metrics", {}).get("prompt_tokens", 0) for step in document["steps"]) == row.usage.prompt
    assert (document["agent"]["name"], document["extra"]["told_by"]) == ("command", "gateway")
    assert model_runs.KEY.encode() not in data
    again = runs.cli(place, "export", "atif", "m", "-o", "out")
    assert (again.code, "is there already" in again.err) == (2, True)


def test_a_statement_is_about_the_files_that_lie_there(place: Path) -> None:
    assert runs.cli(place, "export", "in-toto", "m", "-o", "m.json").code in (0, 1)
    subjects = json.loads((place / "m.json").read_bytes())["subject"]
    assert [one["name"] for one in subjects] == ["seal.json", "ledger.jsonl", "calls.jsonl", "card.json"]
    lines = "".join(f"{one['digest']['sha256']}  {one['name']}\n" for one in subjects)
    checked = subprocess.run(["sha256sum", "-c"], input=lines, cwd=place / "runs" / "m", text=True, capture_output=True)
    assert checked.returncode == 0, checked.stderr


def test_parquet_is_what_runs_parquet_writes(place: Path) -> None:
    assert runs.cli(place, "export", "parquet", "m", "-o", "a.parquet").code in (0, 1)
    assert runs.cli(place, "runs", "parquet", "m", "-o", "b.parquet").code == 0
    one, other = (pl.read_parquet(place / name) for name in ("a.parquet", "b.parquet"))
    assert one.equals(other) and one["key.task_id"].to_list() == [TASK]


def test_an_import_keeps_no_trajectories(place: Path) -> None:
    (place / "eval_results.json").write_text('{"a": true, "b": false}')
    assert runs.cli(place, "import", "swebench-pro", "eval_results.json", "-o", "kept").code in (0, 1)
    said = runs.cli(place, "export", "atif", "kept", "-o", "none")
    assert (said.code, (place / "none").exists()) == (2, False)
    assert "only the folder of a run of ours keeps what its agents did" in said.err
