"""A failure-class ledger: what its header says, one log a seed, and the same numbers when it is imported again."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from denominator.errors import BlockedError
from denominator.exporters.m13 import CLASSES, EXPORTER, HEADER, PROVENANCE
from denominator.pipeline.exporting import export_into, export_of
from denominator.pipeline.importing import import_paths
from denominator.pipeline.results import Result
from denominator.records.rows import AttemptRow
from judging_data import key, own
from unit.exporters.export_lab import conditions, run_of

SEEDED = {"seeds": "[7,11]", "max_attempts": "1", "prompt_id": '"aa"', "harness_commit": '"c0ffee"'}


def rows(repeats: int = 2, tasks: int = 9) -> list[AttemptRow]:
    """Every third draw is red."""
    named = [(f"t{n}", repeat) for n in range(tasks) for repeat in range(1, repeats + 1)]
    return [
        own(task, "red" if n % 3 == 0 else "green", key=key(task, repeat)) for n, (task, repeat) in enumerate(named)
    ]


def files(run: Result) -> dict[str, bytes]:
    return dict(EXPORTER.files(export_of(run)))


def lines(data: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in data.splitlines()]


def test_the_set_is_complete_and_its_header_answers_what_readers_ask() -> None:
    made = files(run_of(rows(), repeats=2, conditions=conditions(**SEEDED)))
    assert [*made] == [HEADER, "seed-7.jsonl", "seed-11.jsonl", CLASSES, PROVENANCE]
    header = json.loads(made[HEADER])
    asked = ("harness_version", "prompt_hash", "timeout", "retry_cap", "token_budget", "seeds")
    assert [header[name] for name in asked] == ["1.2", "aa", 600, 0, 200000, [7, 11]]
    assert header["task_ids"] == ["n1", *(f"t{n}" for n in range(9))]
    assert header["controls"] == [{"expected": "fail", "role": "must_fail", "task_id": "n1"}]
    assert lines(made["seed-7.jsonl"])[:2] == [
        {"changed": ["src/a.py"], "outcome": "test_fail", "repeat": 1, "seed": 7, "slice": "negative", "task_id": "n1"},
        {"outcome": "test_fail", "repeat": 1, "seed": 7, "slice": "solvable", "task_id": "t0"},
    ]
    assert {one["seed"] for one in lines(made["seed-11.jsonl"])} == {11}


def test_the_classifier_counts_every_declared_draw_and_says_why_it_stopped() -> None:
    stopped = own("cut", "none", run_cap_cut=True, stop_reason="budget")
    run = run_of([*rows(1), stopped], conditions=conditions(**SEEDED), more=("never",))
    told = json.loads(files(run)[CLASSES])
    assert sum(told["classes"].values()) == 11 == sum(one["draws"] for one in told["logs"])
    assert told["classes"]["pass"] == 6
    assert told["classes"]["unresolved"] >= 1 == told["logs"][0]["missing"]
    assert {*told["shares"]} == {"compile_fail", "test_fail", "timeout", "over_edit", "unresolved"}
    assert told["shares"]["test_fail"] == {"k": 3, "n": 11}
    assert told["commits"]["harness"] == "c0ffee" and "not_measured" in told["commits"]["task_file"]
    assert told["stopped_early"] == ["stopped early: the cap of the run cut 1 attempt"]
    assert told["control_states"]["must_fail n1"] == "held"
    assert told["not_measured"]["seed"] == "no seed was sent"


def test_a_seed_that_nobody_declared_is_not_made_up() -> None:
    for seeds in ({}, {"seeds": '"none"'}, {"seeds": "[7]"}, {"seeds": "[7,7]"}):
        made = files(run_of(rows(), repeats=2, conditions=conditions(**seeds)))
        header = json.loads(made[HEADER])
        assert (header["repeats"], header.get("seeds")) == (2, None)
        assert {(one["seed"], one["repeat"]) for one in lines(made["repeat-2.jsonl"])} == {(None, 2)}


def test_provenance_says_what_nobody_states() -> None:
    told = tomllib.loads(files(run_of(rows()))[PROVENANCE].decode())
    assert told["not_measured"] == "only a run of ours has a seal"
    assert told["run"]["run_id"] == "r1"


def test_while_a_control_is_violated_no_line_tells_a_pass_from_a_failure(tmp_path: Path) -> None:
    with pytest.raises(BlockedError, match="a control is violated"):
        files(run_of(rows(), control="green"))


def test_what_was_imported_can_be_exported_and_imported_again(tmp_path: Path) -> None:
    run = run_of(rows(), repeats=2, conditions=conditions(**SEEDED))
    headers = []
    for name in ("one", "two"):
        export_into(tmp_path / name, run, EXPORTER)
        run = import_paths([tmp_path / name], None, (), None)[1]
        headers.append(json.loads((tmp_path / name / HEADER).read_bytes()))
        assert [one.what for one in run.ledger.defects if one.blocks] == []
        assert run.card.equation["pass"] == 12
    same = (
        "harness_version",
        "prompt_hash",
        "timeout",
        "retry_cap",
        "token_budget",
        "seeds",
        "repeats",
        "task_ids",
        "controls",
    )
    assert [headers[0][key_] for key_ in same] == [headers[1][key_] for key_ in same]
    assert (tmp_path / "one" / "seed-7.jsonl").read_bytes() == (tmp_path / "two" / "seed-7.jsonl").read_bytes()
