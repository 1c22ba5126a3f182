"""Every row shape that people have reaches the ledger, with facts as facts and judgements as labels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from denominator.errors import InputError
from denominator.importers import Imported, import_rows
from denominator.importers.shapes import SHAPES
from denominator.records.rows import AttemptRow
from denominator.records.values import NotMeasured


def lines(*rows: dict[str, Any]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def take(**files: Any) -> Imported:
    """Import files named by keyword: `runs_jsonl` is runs.jsonl; a list is JSONL, anything else a JSON document."""
    named = {name[::-1].replace("_", ".", 1)[::-1]: data for name, data in files.items()}
    return import_rows(
        [(name, lines(*data) if isinstance(data, list) else json.dumps(data).encode()) for name, data in named.items()]
    )


def row(imported: Imported, task: str, attempt: int = 1) -> AttemptRow:
    return next(r for r in imported.ledger.rows if (r.key.task_id, r.key.attempt) == (task, attempt))


def said(imported: Imported, axis: str) -> dict[tuple[str, int], str]:
    return {(one.key.task_id, one.key.attempt): one.value for one in imported.ledger.labels if one.axis == axis}


def blocking(imported: Imported) -> list[str]:
    return [one.kind for one in imported.ledger.defects if one.blocks]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_the_example_of_every_shape_has_that_shape(shape: Any) -> None:
    imported = import_rows([("rows.jsonl", shape.example.encode() + b"\n")])
    assert imported.report.shape == shape.name
    missing = set(imported.report.missing)
    assert set(shape.needs) <= missing
    assert blocking(imported).count("missing_companion") == len(shape.needs)


def test_every_shape_file_is_listed() -> None:
    import denominator.importers.shapes as package

    folder = Path(package.__file__).parent
    files = {path.stem for path in folder.glob("*.py")} - {"__init__", "base"}
    assert len(files) == len(SHAPES) == len({shape.name for shape in SHAPES})


def test_traces_hold_facts_only() -> None:
    call = {"name": "run", "args": {"n": 1.5}, "result_sha256": "r"}
    trace = {"task_id": "p1", "exit_code": 0, "tool_calls": [call], "written_tests": False, "hidden_tests": None}
    late = {"task_id": "p2", "exit_code": 0, "timeout": True, "stopped_by": "harness", "wall_s": 900.2, "wall_cap": 900}
    imported = take(traces_jsonl=[trace, late])
    first, second = row(imported, "p1"), row(imported, "p2")
    assert (first.grade, first.verify_exit, first.tests_hidden, first.tests_written_by_agent) == (
        "green",
        0,
        False,
        False,
    )
    assert first.extra["tool_calls"] == '[{"args":{"n":1.5},"name":"run","result_sha256":"r"}]'
    assert (second.wall_ms, second.stop_reason, second.killed_by, second.after_cap) == (
        900200,
        "timeout",
        "budget_wall",
        True,
    )
    assert not imported.ledger.labels


def test_before_after_with_a_control() -> None:
    rows = [
        {
            "run_id": "r",
            "task_id": "n1",
            "negative_control": True,
            "tests_without_agent_pass": True,
            "tests_after_pass": True,
        },
        {"run_id": "r", "task_id": "s1", "tests_without_agent_pass": True, "tests_after_pass": True, "patch_bytes": 0},
    ]
    imported = take(runs_jsonl=rows)
    assert (row(imported, "n1").slice, row(imported, "n1").control) == ("negative", "noop_must_stay_green")
    assert imported.terms.bad_tasks == ("s1",)
    assert imported.terms.controls_declared


def test_one_meta_a_run_numbers_repeats() -> None:
    files = [
        (f"runs/{k}/meta.json", json.dumps({"run_id": k, "task_id": "t", "tests_after_pass": True}).encode())
        for k in "ab"
    ]
    imported = import_rows([*files, ("runs/a/combined.log", b"10:00 x")])
    assert [(r.key.task_id, r.key.repeat) for r in imported.ledger.rows] == [("t", 1), ("t", 2)]
    assert blocking(imported) == []


def test_spend_rows_one_arm_with_usage_in_both_conventions() -> None:
    openai = {"prompt_tokens": 12929, "completion_tokens": 29, "total_tokens": 12958}
    openai["prompt_tokens_details"] = {"cached_tokens": 10880}
    disjoint = {
        "input_tokens": 2049,
        "cache_read_input_tokens": 10880,
        "cache_creation_input_tokens": 0,
        "output_tokens": 29,
    }
    rows = [
        {"task_id": "o1", "arm": "A", "accepted": True, "usage_convention": "cached_in_input", "usage": openai},
        {"task_id": "a1", "arm": "B", "accepted": False, "usage_convention": "disjoint", "usage": disjoint},
    ]
    with pytest.raises(InputError, match="2 arms: A, B"):
        take(ledger_jsonl=rows)
    for arm, task in (("A", "o1"), ("B", "a1")):
        imported = import_rows([("ledger.jsonl", lines(*rows))], where={"arm": arm})
        usage = row(imported, task).usage
        assert (usage.prompt, usage.completion, usage.cached_read) == (12929, 29, 10880)


def test_spend_rows_cut_by_the_cap_and_a_broken_checker() -> None:
    base = {"run_id": "r", "arm": "A", "attempt": 1, "prompt_tokens": 9, "completion_tokens": 1, "wall_ms": 1000}
    rows = [
        {**base, "task_id": "z1", "accepted": False, "stop": "cap"},
        {**base, "task_id": "z2", "accepted": False, "checker_error": "died"},
    ]
    imported = take(ledger_jsonl=rows, harness_config_json={"max_attempts": 1, "task_count": 3, "cap_tokens": 80000})
    assert row(imported, "z1").run_cap_cut
    assert said(imported, "reason") == {("z2", 1): "grader_error"}
    assert imported.ledger.declared_n == 3
    assert dict(imported.terms.environment) == {"cap_tokens": "80000"}


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ({"prompt_tokens": 40, "completion_tokens": 900, "max_tokens": 64}, "accounting_anomaly"),
        ({"prompt_tokens": True, "completion_tokens": 5}, "bad_value"),
        ({"prompt_tokens": -7, "completion_tokens": 5}, "bad_value"),
        ({"prompt_tokens": "1e3", "completion_tokens": 5}, "bad_value"),
        ({"prompt_tokens": 4, "completion_tokens": 5, "total_tokens": 10}, "accounting_anomaly"),
        ({"prompt_tokens": 40, "completion_tokens": 5, "max_tokens": 64}, None),
    ],
)
def test_impossible_usage_is_refused_by_name(values: dict[str, Any], kind: str | None) -> None:
    imported = take(ledger_jsonl=[{"task_id": "v", "accepted": True, **values}])
    assert blocking(imported) == ([kind] if kind else [])
    found = row(imported, "v")
    assert isinstance(found.usage.prompt, NotMeasured) == bool(kind)
    assert bool(said(imported, "outcome")) == (kind is None)


def test_repeats() -> None:
    rows = [{"task": "t", "repeat": k, "status": s, "seconds": 9} for k, s in enumerate(("pass", "fail", "timeout"), 1)]
    imported = take(arm_jsonl=rows, manifest_json={"task_ids": ["t"], "repeats": 3})
    assert [one.value for one in imported.ledger.labels if one.axis == "outcome"] == ["pass", "fail", "fail"]
    assert imported.ledger.declared_n == 3
    assert imported.terms.repeats == 3
    assert blocking(take(arm_jsonl=[{**rows[0], "status": "maybe"}])) == ["unknown_outcome"]


def test_calls_make_attempts_without_a_verdict() -> None:
    status = [("a", 1, 200), ("b", 1, 503), ("b", 2, 200), ("c", 1, 0), ("c", 2, 429), ("c", 3, 200)]
    rows = [{"task_id": t, "attempt": k, "status": s, "latency_s": 1.25} for t, k, s in status]
    imported = take(runs_jsonl=rows, manifest_json={"max_attempts": 3, "invalid_rate_ceiling": 0.2})
    assert [r.usage.calls for r in imported.ledger.rows] == [1, 2, 3]
    assert [sum(r.invalid_calls.values()) for r in imported.ledger.rows] == [0, 1, 2]
    assert [(call.seq, call.status, call.last_byte_ms) for call in imported.ledger.calls][:2] == [
        (1, 200, 1250),
        (1, 503, 1250),
    ]
    assert not imported.ledger.labels


def test_passed_rows_beside_a_manifest_and_below_a_fingerprint() -> None:
    outcomes = [{"task_id": "t1", "passed": True}, {"task_id": "t2", "passed": False}]
    manifest = {"run_id": "A", "model_snapshot": "fam-1", "temperature": 0.0, "operator": "<name>"}
    imported = import_rows(
        [("run.manifest.json", json.dumps(manifest).encode()), ("outcomes.json", json.dumps(outcomes).encode())]
    )
    assert imported.ledger.run_id == "A"
    assert dict(imported.terms.environment) == {"model_snapshot": "fam-1", "temperature": "0"}
    assert said(imported, "outcome") == {("t1", 1): "pass", ("t2", 1): "fail"}
    head = {"_fingerprint": {"python": "3.11", "endpoint_host": "h"}}
    body = {"task_id": "t", "passed": True, "agent_exit": 0, "wall_clock_s": 1.5, "tokens_in": 5, "tokens_out": 6}
    imported = take(rows_jsonl=[head, body])
    assert dict(imported.terms.environment)["endpoint_host"] == "h"
    found = row(imported, "t")
    assert (found.wall_ms, found.usage.prompt, found.usage.completion, found.agent_exit) == (1500, 5, 6, 0)


def test_a_contract_must_be_locked() -> None:
    contract = {"run_id": "r", "task_ids": ["a"], "locked_at": ""}
    assert blocking(take(scoring_contract_json=contract, events_jsonl=[{"task_id": "a", "task_pass": True}])) == [
        "contract_not_locked"
    ]


def test_trials_take_slice_control_and_canary_from_the_task_list() -> None:
    tasks = [
        {"id": "k1", "slice": "canary", "canary": "TOKEN"},
        {"id": "j1", "expected": "fail_or_abstain", "required_missing": True},
        {"id": "s1", "slice": "solvable", "canary": None},
    ]
    trials = [{"task_id": t["id"], "verdict": "pass", "patch": "+x"} for t in tasks]
    imported = take(tasks_jsonl=tasks, trials_jsonl=trials)
    assert row(imported, "k1").slice == "canary"
    assert row(imported, "k1").extra["canary"] == '"TOKEN"'
    assert (row(imported, "j1").control, len(row(imported, "j1").required_missing)) == ("must_ask", 1)
    declared = imported.ledger.declared
    assert not isinstance(declared, NotMeasured)
    assert [(one.draw.task_id, one.slice) for one in declared] == [
        ("k1", "canary"),
        ("j1", "negative"),
        ("s1", "solvable"),
    ]


def test_seed_logs_take_the_repeat_from_the_header() -> None:
    logs = {
        f"log_{seed}.jsonl": lines({"task_id": "t", "slice": "positive", "outcome": word, "seed": seed})
        for seed, word in ((7, "pass"), (3, "compile_fail"))
    }
    header = ("header.json", json.dumps({"harness_version": "1", "seeds": [7, 3], "task_ids": ["t"]}).encode())
    imported = import_rows([*logs.items(), header])
    classes = {one.key.repeat: one.value for one in imported.ledger.labels if one.axis == "failure_class"}
    assert classes == {1: "pass", 2: "compile_fail"}
    assert imported.ledger.declared_n == 2
    bad = take(log_jsonl=[{"task_id": "t", "outcome": "unresolved", "seed": 1}])
    assert blocking(bad) == ["unknown_outcome"]


def test_attempts_with_stop_reasons() -> None:
    rows = [
        {"task_id": "t1", "attempt": 1, "stop_reason": "transport", "cold_start": True, "queue_wait_ms": 10},
        {"task_id": "t1", "attempt": 2, "stop_reason": "pass", "patch_sha256": "d", "access_class": "x"},
    ]
    imported = take(runs_jsonl=rows)
    assert said(imported, "outcome") == {("t1", 1): "unscoreable", ("t1", 2): "pass"}
    assert (row(imported, "t1").queue_wait_ms, row(imported, "t1").cold_start) == (10, True)
    assert row(imported, "t1", 2).access_class == "x"
    assert blocking(take(runs_jsonl=[{**rows[0], "stop_reason": "tired"}])) == ["unknown_outcome"]


def test_checkpoints_with_verdicts() -> None:
    rows = [
        {"task_id": "k1", "attempt": 1, "checkpoint": "patch_applied", "payload_digest": "d1", "ts": 3},
        {"task_id": "k1", "attempt": 1, "checkpoint": "patch_applied", "payload_digest": "d9", "ts": 8, "epoch": 2},
        {"task_id": "k2", "attempt": 1, "checkpoint": "patch_applied", "payload_digest": "e1", "ts": 1.5},
        {"task_id": "k2", "attempt": 2, "checkpoint": "tests_run", "payload_digest": "e2", "ts": 6},
    ]
    verdicts = {"k1": {"interrupted": True, "status": "pass"}, "k2": {"interrupted": False, "status": "fail"}}
    imported = take(journal_jsonl=rows, verdicts_json=verdicts)
    assert [p["digest"] for p in json.loads(row(imported, "k1").extra["checkpoints"])] == ["d1", "d9"]
    assert row(imported, "k1").incarnations == 2
    assert said(imported, "outcome") == {("k1", 1): "pass", ("k2", 2): "fail"}
    strange = take(journal_jsonl=[{**rows[0], "checkpoint": "lunch"}], verdicts_json=verdicts)
    assert blocking(strange) == ["undeclared_checkpoint"]


def test_structured_endings_are_facts() -> None:
    rows = [
        {"task_id": "a", "outcome": "fail", "provider_error": {"status": 429, "gave_up": True}},
        {"task_id": "b", "outcome": "fail", "provider_error": {"status": 429, "error_code": "spend_limit_reached"}},
        {"task_id": "c", "outcome": None, "reward": None, "verify": {"state": "timeout", "stage": "install"}},
        {"task_id": "d", "outcome": None, "reward": 0.0, "verify": {"state": "done", "stage": "tests"}},
        {"task_id": "e", "outcome": "pass", "provider_error": {"status": 429, "gave_up": False}},
    ]
    imported = take(runs_jsonl=rows)
    causes = {r.key.task_id: r.first_unrecovered.cause for r in imported.ledger.rows if r.first_unrecovered}
    assert causes == {"a": "provider_rate_limit", "b": "quota_exhausted", "c": "harness_timeout"}
    assert [row(imported, task).grade for task in "abcde"] == ["none", "none", "none", "red", "none"]


def test_controls_of_a_manifest() -> None:
    controls = [{"task_id": "neg", "expected": "fail"}, {"task_id": "pos", "expected": "pass", "role": "positive"}]
    rows = [{"task_id": task, "outcome": "pass"} for task in ("neg", "pos", "t")]
    imported = take(runs_jsonl=rows, manifest_json={"dataset": {"task_count": 3}, "controls": controls})
    assert [(r.key.task_id, r.slice, r.control) for r in imported.ledger.rows] == [
        ("neg", "negative", "must_fail"),
        ("pos", "floor", "gold_must_pass"),
        ("t", "solvable", ""),
    ]
    odd = take(runs_jsonl=rows, manifest_json={"task_count": 3, "controls": [{"task_id": "neg", "expected": "maybe"}]})
    assert blocking(odd) == ["bad_manifest"]


def test_printed_percents_and_strata() -> None:
    rows = [{"task_id": one, "outcome": "pass"} for one in ("A1", "AB1", "C1")]
    manifest = {"task_count": 3, "headline": "88.9%", "strata": {"A": 1, "AB": 1, "C": 1}}
    imported = take(runs_jsonl=rows, manifest_json=manifest)
    assert imported.terms.printed_percents == ("88.9%",)
    notes = [one for one in imported.ledger.defects if one.kind == "stratum_ambiguous"]
    assert [one.keys for one in notes] == [("AB1",)]
    assert [r.stratum for r in imported.ledger.rows] == ["A", "", "C"]


def test_documents_that_contradict_themselves() -> None:
    rows = [{"run_id": "r", "task_id": "a", "outcome": "pass"}]
    bad = {"dataset": {"task_ids": ["a", "a"], "task_count": 3, "ids_digest": "0" * 64}, "max_attempts": True}
    assert set(blocking(take(runs_jsonl=rows, manifest_json=bad))) == {
        "declared_twice",
        "dataset_size_mismatch",
        "ids_digest_mismatch",
        "bad_manifest",
    }


def test_rows_of_another_run_are_named_and_left_out() -> None:
    rows = [{"run_id": r, "task_id": t, "outcome": "pass"} for r, t in (("r51", "a"), ("r51", "b"), ("r40", "a"))]
    imported = take(runs_jsonl=rows, manifest_json={"run_id": "r51", "task_count": 2})
    (block,) = (one for one in imported.ledger.defects if one.blocks)
    assert block.kind == "several_run_ids"
    assert "runs.jsonl:3" in block.what
    assert len(imported.ledger.rows) == 2


def test_differing_rows_under_one_key() -> None:
    rows = [{"task_id": "a", "outcome": word} for word in ("pass", "fail")]
    for some in (rows, rows[::-1]):
        imported = take(runs_jsonl=some)
        assert [one.keys for one in imported.ledger.defects if one.kind == "conflicting_rows"] == [("a",)]
        assert said(imported, "outcome") == {("a", 1): "fail"}


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"a.jsonl": lines({"task_id": "t", "smell": 0})}, ["unknown row shape", "smell"]),
        ({"a.jsonl": lines({"task_id": "t", "outcome": "pass", "accepted": True})}, ["ambiguous", "accepted, outcome"]),
        ({"a.jsonl": lines({"task_id": "t", "passed": True}), "b.jsonl": lines({"task_id": "t", "passed": True})}, ["a.jsonl, b.jsonl"]),
        ({"a.jsonl": lines({"task_id": "t", "passed": True}), "m1manifest.json": b"{}", "m2manifest.json": b'{"n": 1}'}, []),
        ({"notes.txt": b"hello"}, ["no rows found", "notes.txt"]),
        ({"rows.jsonl": b"\x00\x00\n"}, ["no line of the rows can be read"]),
        ({"rows.json": b'[{"task_id": "t", "passed": NaN}]'}, ["NaN"]),
        ({}, ["no rows found"]),
    ],
)  # fmt: skip
def test_what_is_unknown_or_ambiguous_is_refused_with_what_was_seen(files: dict[str, bytes], words: list[str]) -> None:
    if not words:
        assert import_rows(list(files.items())).ledger.rows
        return
    with pytest.raises(InputError) as caught:
        import_rows(list(files.items()))
    assert all(word in str(caught.value) for word in words)


def test_unknown_keys_stay_as_raw_text() -> None:
    imported = take(runs_jsonl=[{"task_id": "a", "outcome": "pass", "note": {"b": [1, 2.50, None]}, "extra": 1}])
    assert row(imported, "a").extra == {"note": '{"b":[1,2.5,null]}', "extra": "1"}


def test_the_digest_names_what_was_read_and_nothing_else() -> None:
    rows = ("runs.jsonl", lines({"task_id": "a", "outcome": "pass"}))
    plain = import_rows([rows]).terms.digest
    assert import_rows([("case.json", b"{}"), ("notes.txt", b"x"), rows]).terms.digest == plain
    assert import_rows([rows, ("manifest.json", b'{"task_count": 1}')]).terms.digest != plain


def test_every_row_names_its_line() -> None:
    imported = take(runs_jsonl=[{"task_id": "a", "outcome": "pass"}, {"task_id": "b", "outcome": "fail"}])
    assert [(r.source.file, r.source.line, len(r.source.sha256)) for r in imported.ledger.rows] == [
        ("runs.jsonl", 1, 64),
        ("runs.jsonl", 2, 64),
    ]
    assert all(one.by == "import:rows" and one.confidence == "low" and one.evidence for one in imported.ledger.labels)
