"""A real run replayed under its own seal: what flips is counted, what is refused writes nothing."""

from __future__ import annotations

import json
import shutil

import pytest

from denominator.wire.codec import loads
from e2e.runs import SOLVE, cli, envelope, make_pack

TASKS = ("clamp-low", "count-words", "double-it")
COIN = "case $(head -c1 /dev/urandom | od -An -tu1) in *[02468]) %s;; esac"
SCRIPT = "schema_version = 1\n" + "".join(
    f"""
[[task]]
id = "{task}"
[[task.step]]
run = '''{COIN % SOLVE[task]}'''
"""
    for task in TASKS
)


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """One run of a coin-tossing agent, two repeats a task, and its replay."""
    folder = tmp_path_factory.mktemp("replay")
    make_pack(folder, *TASKS, "keep-sorted")
    (folder / "script.toml").write_text(SCRIPT)
    arm = {"label": "coin", "agent": "script", "script": "script.toml"}
    (folder / "envelope.toml").write_text(envelope([arm], budget={"repeats": 2}))
    assert cli(folder, "run", "--run-id", "first", "-q", "--brief").code == 0
    return folder


def greens(folder, run_id):
    rows = [loads(line, "row") for line in (folder / "runs" / run_id / "ledger.jsonl").read_bytes().splitlines()]
    solvable = [row for row in rows if row["slice"] == "solvable"]
    return {(row["key"]["task_id"], row["key"]["repeat"]): row["grade"] == "green" for row in solvable}


def test_a_replay_comes_a_day_later_or_says_why(lab):
    before = sorted(path.name for path in (lab / "runs").iterdir())
    said = cli(lab, "replay", "first", "-q")
    assert said.code == 2
    assert "at least 24 h after the run" in said.err and "--early" in said.err
    assert sorted(path.name for path in (lab / "runs").iterdir()) == before


def test_flips_are_counted_draw_by_draw_and_stand_on_the_card_of_the_run(lab):
    said = cli(lab, "replay", "first", "--early", "a test cannot wait", "-q", "--json")
    found = said.json
    first, again = greens(lab, "first"), greens(lab, "first-replay-1")
    flipped = {f"{task} r{k}" if k > 1 else task for (task, k), green in first.items() if green != again[task, k]}
    assert len(first) == 4
    assert set(found["flipped"]) == flipped
    assert (found["flips"], found["draws"], found["unknown"]) == (len(flipped), len(first), 0)
    assert (found["hours"], found["early_why"]) == (0, "a test cannot wait")
    assert found["lo"] <= found["rate"] <= found["hi"]
    seals = [(lab / "runs" / run / "seal.json").read_bytes() for run in ("first", "first-replay-1")]
    assert seals[0] == seals[1]
    again_said = cli(lab, "replay", "first", "--with", "first-replay-1", "--early", "a test cannot wait", "--json")
    assert again_said.json | {"run_id": ""} == found | {"run_id": ""}
    assert "REPLAY of first" in cli(lab, "card", "first-replay-1").out
    assert cli(lab, "card", "first", "--json").json["replays"] == [found]
    shown = " ".join(cli(lab, "card", "first").out.split())
    assert (
        f"replay first-replay-1: {len(flipped)} of {len(first)} draws flipped" in shown
        and "a test cannot wait" in shown
    )


def test_what_is_no_finished_run_is_not_replayed(lab):
    cli(lab, "replay", "first", "--early", "a test cannot wait", "-q", "--run-id", "second")
    said = cli(lab, "replay", "second", "--early", "x", "-q")
    assert said.code == 2 and "itself a replay of first" in said.err
    assert cli(lab, "run", "--run-id", "bit", "--only", "clamp-low", "-q").code == 0
    said = cli(lab, "replay", "scratch-bit", "--early", "x", "-q")
    assert said.code == 2 and "never counted" in said.err
    said = cli(lab, "replay", "nowhere", "-q")
    assert said.code == 2 and "no run is called" in said.err


def test_under_another_seal_nothing_is_counted(lab):
    shutil.copy(lab / "envelope.toml", lab / "other.toml")
    (lab / "other.toml").write_text((lab / "other.toml").read_text().replace('"never"', '"other"'))
    assert cli(lab, "run", "other.toml", "--run-id", "other", "-q", "--brief").code in (0, 1)
    said = cli(lab, "replay", "first", "--with", "other", "--json")
    assert said.code == 3 and "the seals differ" in said.err and not said.out.strip()


def test_rows_of_another_harness_are_replays_where_their_conditions_agree(tmp_path):
    same = {"model_id": "m", "model_snapshot": "m-1", "task_ids": ["a", "b", "c"], "repeats": 1}
    for name, passes in (("monday", (1, 0, 1)), ("tuesday", (1, 1, 1))):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "manifest.json").write_text(json.dumps(same))
        rows = [{"task_id": task, "passed": bool(passed)} for task, passed in zip("abc", passes, strict=True)]
        (folder / "outcomes.json").write_text(json.dumps(rows))
    said = cli(tmp_path, "replay", "monday", "--with", "tuesday", "--json")
    assert said.code == 3
    assert "not the same conditions" in said.err
