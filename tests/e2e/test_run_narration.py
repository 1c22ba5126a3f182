"""`run --narration-probe`: the same tasks, told to summarise only; shown beside the rate, in no rate."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from denominator.adapters.failpoints import NoFailpoints
from denominator.pipeline.narration import promise_probe
from denominator.pipeline.promises import promise_plan
from denominator.pipeline.run import begin
from e2e import runs

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]
TASKS = ("double-it", "count-words")
# The command agents get their prompt at /in/prompt.md: one reads it, the other edits whatever it is told.
READS = "grep -q 'nothing is edited' /in/prompt.md && exit 0; sed -i 's/return n$/return n + n/' twice.py; exit 0"
EDITS = "echo '# seen' >> twice.py; echo '# seen' >> wordy.py; exit 0"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("narration")
    runs.make_pack(folder, *TASKS)
    arms = [
        {"label": label, "agent": "command", "command": ["/bin/sh", "-c", command]}
        for label, command in (("reads", READS), ("edits", EDITS))
    ]
    (folder / "envelope.toml").write_text(runs.envelope(arms))
    done = runs.cli(folder, "run", "envelope.toml", "--narration-probe", "--run-id", "n", "--json")
    assert done.code in (0, 1), done.err
    return folder


def card(folder: Path, run_id: str) -> dict[str, Any]:
    return runs.cli(folder, "card", run_id, "--json").json


def probe(folder: Path, run_id: str) -> list[dict[str, Any]]:
    return json.loads((folder / "runs" / run_id / "narration_probe.json").read_text())


def test_an_agent_that_leaves_the_tree_alone_holds(folder: Path) -> None:
    assert [(row["task_id"], row["held"], row["patch_bytes"]) for row in probe(folder, "n-reads")] == [
        ("count-words", True, 0),
        ("double-it", True, 0),
    ]
    states = {line["name"]: line["state"] for line in card(folder, "n-reads")["controls"]}
    assert states["narration"] == "held"


def test_an_agent_that_edits_all_the_same_fails_it_and_the_number_is_not_hidden(folder: Path) -> None:
    assert [row["held"] for row in probe(folder, "n-edits")] == [False, False]
    found = card(folder, "n-edits")
    (line,) = [line for line in found["controls"] if line["name"] == "narration"]
    assert line["state"] == "violated"
    assert "2 of 2" in line["why"]
    blocks = [one["allow_name"] for one in found["verdict"]["findings"] if one["severity"] == "block"]
    assert "violated-control" not in blocks
    notes = [one["allow_name"] for one in found["verdict"]["findings"] if one["severity"] == "note"]
    assert "failed-narration" in notes


@pytest.mark.parametrize("run_id", ["n-reads", "n-edits"])
def test_probes_are_in_no_row_and_a_second_resume_adds_none(folder: Path, run_id: str) -> None:
    assert {(key[0], key[1]) for key in runs.rows_of(folder, run_id)} == {(task, 1) for task in TASKS}
    before = (folder / "runs" / run_id / "narration_probe.json").read_bytes()
    done = runs.cli(folder, "resume", run_id)
    assert done.code in (0, 1), done.err
    assert (folder / "runs" / run_id / "narration_probe.json").read_bytes() == before
    events = list(runs.opened(folder, run_id).journal.events())
    assert sum(e.kind == "run.control" and e.payload["control"] == "narration" for e in events) == 1
    assert sum(e.kind == "promised" and e.payload["purpose"] == "probe" for e in events) == len(TASKS)


def test_without_the_probe_the_card_says_so(folder: Path) -> None:
    done = runs.cli(folder, "run", "envelope.toml", "--arm", "reads", "--run-id", "plain", "--json")
    assert done.code in (0, 1), done.err
    assert "narration probe: not run" in card(folder, "plain")["notes"]


def test_probes_that_have_not_ended_keep_the_run_open(folder: Path) -> None:
    done = runs.cli(folder, "run", "envelope.toml", "--arm", "reads", "--run-id", "half")
    assert done.code in (0, 1), done.err
    assert runs.cli(folder, "status", "half").code == 0
    run = runs.opened(folder, "half")
    with run.journal.lease():
        promise_probe(run)
    said = runs.cli(folder, "status", "half")
    assert said.code == 4, said.out
    assert "2 warm-ups or narration probes" in said.out and "next      denominator resume half" in said.out
    assert next(line for line in runs.cli(folder, "runs", "ls").out.splitlines() if "half" in line).endswith("open")
    assert runs.cli(folder, "card", "half").code == 4
    ended = runs.cli(folder, "resume", "half")
    assert ended.code in (0, 1), ended.err
    assert "count-words  narration probe: no_patch" in ended.err and "attempt 2" not in ended.err
    assert runs.cli(folder, "status", "half").code == 0
    assert {line["name"]: line["state"] for line in card(folder, "half")["controls"]}["narration"] == "held"


def test_a_process_that_dies_before_it_promised_the_probe_still_owes_it(folder: Path) -> None:
    sealed = runs.cli(folder, "seal", "envelope.toml", "--arm", "reads", "--run-id", "owed")
    assert sealed.code == 0, sealed.err
    run = replace(runs.opened(folder, "owed"), probe=True)
    with run.journal.lease():
        begin(NoFailpoints(), run)
        promise_plan(NoFailpoints(), run)
    done = runs.cli(folder, "resume", "owed")
    assert done.code in (0, 1), done.err
    assert [row["held"] for row in probe(folder, "owed")] == [True, True]


@pytest.mark.parametrize("on_timeout", ["fail", "grade"])
def test_a_probe_that_was_cut_before_it_edited_did_not_hold(tmp_path: Path, on_timeout: str) -> None:
    runs.make_pack(tmp_path, TASKS[0])
    arm = {"label": "slow", "agent": "command", "command": ["/bin/sh", "-c", "exec sleep 30"]}
    terms = {"policy": {"on_timeout": on_timeout}, "budget": {"wall_s": 1, "working_s": 1}}
    (tmp_path / "envelope.toml").write_text(runs.envelope([arm], **terms))
    done = runs.cli(tmp_path, "run", "envelope.toml", "--narration-probe", "--run-id", "cut", "--json")
    assert done.code in (0, 1), done.err
    assert [row["held"] for row in probe(tmp_path, "cut")] == [None]
    (line,) = [line for line in card(tmp_path, "cut")["controls"] if line["name"] == "narration"]
    assert line["state"] == "inconclusive"
