"""The same facts in the words and shapes of other harnesses, and near misses that are other facts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from denominator.importers import import_rows
from denominator.importers.boxes import promised_memory
from denominator.importers.declared import Place, control_of
from denominator.importers.scope import changed_paths, gone_paths
from denominator.importers.stated import ControlTask
from denominator.judge import judge
from denominator.labels.causes import cause_rule
from denominator.records.rows import AttemptRow

RED = {"task_id": "t", "exit_code": 1, "tool_calls": []}


def row_of(told: dict[str, Any], **beside: list[dict[str, Any]]) -> AttemptRow:
    files = [("rows.jsonl", json.dumps(told).encode())]
    files += [
        (f"{name}.jsonl", b"".join(json.dumps(one).encode() + b"\n" for one in some)) for name, some in beside.items()
    ]
    (row,) = import_rows(files).ledger.rows
    return row


@pytest.mark.parametrize(
    ("told", "killed_by", "stop_reason"),
    [
        ({"stopped_by": "turn_cap"}, "budget_tool_calls", "budget"),
        ({"stopped_by": "max_turns"}, "budget_tool_calls", "budget"),
        ({"stopped_by": "token_budget"}, "budget_tokens", "budget"),
        ({"stopped_by": "harness", "wall_s": 300, "wall_cap": 300}, "budget_wall", "timeout"),
        ({"stopped_by": "harness", "wall_s": 299.6, "wall_cap": 300}, "budget_wall", "timeout"),
        ({"stopped_by": "harness", "wall_s": 200, "wall_cap": 300}, "", ""),
        ({"stopped_by": "agent", "timeout": True, "wall_s": 12, "wall_cap": 300}, "", ""),
        ({"stopped_by": "agent", "timeout": True}, "", ""),
        ({"timeout": True, "wall_s": 12, "wall_cap": 300}, "", ""),
        ({"timeout": True}, "", "timeout"),
        ({"stopped_by": "harness", "mono_start": 0, "mono_end": 301, "wall_cap": 300}, "budget_wall", "timeout"),
    ],
)
def test_who_stopped_it(told: dict[str, Any], killed_by: str, stop_reason: str) -> None:
    row = row_of({**RED, **told})
    assert (row.killed_by or "", row.stop_reason or "") == (killed_by, stop_reason)
    assert row.first_unrecovered is None


@pytest.mark.parametrize(("stopper", "origin"), [("provider", "INFRA"), ("node", "INFRA"), ("spot", "")])
def test_others_end_a_row_only_where_no_verdict_is(stopper: str, origin: str) -> None:
    assert row_of({**RED, "stopped_by": stopper}).first_unrecovered is None
    open_ = row_of({"task_id": "t", "exit_code": None, "stopped_by": stopper, "tool_calls": []}).first_unrecovered
    assert (cause_rule(open_.cause).origin if open_ else "") == origin


@pytest.mark.parametrize(
    ("changes", "touched", "gone"),
    [
        ([["M", "a.py", "100644->100755"]], ("a.py",), ()),
        ([["M", "a.py", "100755"]], ("a.py",), ()),
        ([["R", "a.py", "b.py"]], ("a.py", "b.py"), ("a.py",)),
        ([{"status": "R", "old_path": "a.py", "path": "b.py"}], ("a.py", "b.py"), ("a.py",)),
        ([{"status": "renamed", "previous_filename": "a.py", "filename": "b.py"}], ("a.py", "b.py"), ("a.py",)),
        ([{"op": "D", "path": "a.py"}], ("a.py",), ("a.py",)),
        ([{"path": "a/b.py"}, "c.py"], ("a/b.py", "c.py"), ()),
        ([{"status": "A", "path": "s/l", "target": "../x"}], ("s/l", "x"), ()),
        ([{"status": "A"}], None, ()),
        ([["M"]], None, ()),
        ([["M", 3]], None, ()),
        ([7], None, ()),
        ("a.py", None, ()),
    ],
)
def test_changes(changes: object, touched: tuple[str, ...] | None, gone: tuple[str, ...]) -> None:
    assert changed_paths(changes) == touched
    assert gone_paths(changes) == gone


@pytest.mark.parametrize(
    ("expected", "role", "place"),
    [
        ("fail", "negative", Place("negative", "must_fail")),
        ("fail", "known_bad_must_fail", Place("negative", "known_bad_must_fail")),
        ("fail", "empty_patch", Place("negative", "empty_patch_must_fail")),
        ("unchanged", "read_only_sentinel", Place("negative", "read_only_sentinel")),
        ("pass", "gold", Place("floor", "gold_must_pass")),
        ("fail", "gold_must_pass", Place("negative", "must_fail")),
        ("pass", "known_bad_must_fail", Place("floor", "gold_must_pass")),
        ("must_stay_red", "", Place("negative", "must_stay_red")),
        ("whatever", "negative", None),
    ],
)
def test_controls_by_their_type(expected: str, role: str, place: Place | None) -> None:
    assert control_of(ControlTask("t", expected, role)) == place


@pytest.mark.parametrize(
    ("environment", "megabytes"),
    [
        ({"memory_mb": "2048"}, 2048),
        ({"env.memory_mb": "512.5"}, "512.5"),
        ({"limits": '{"memory_mb":4096,"cpus":2}'}, 4096),
        ({"limits": "2 GB"}, None),
        ({"limits": "{broken"}, None),
        ({"memory_mb": "plenty"}, None),
        ({}, None),
    ],
)
def test_promised_memory(environment: dict[str, str], megabytes: object) -> None:
    found = promised_memory(environment)
    assert (None if found is None else str(found)) == (None if megabytes is None else str(megabytes))


def test_lists_stand_for_flags() -> None:
    row = row_of({**RED, "required_missing": ["a.toml"], "written_tests": ["tests/t.py"]})
    assert row.required_missing == ("a.toml",)
    assert row.tests_written_by_agent is True
    none = row_of({**RED, "required_missing": [], "written_tests": []})
    assert none.tests_written_by_agent is False
    assert not none.required_missing


@pytest.mark.parametrize(("after", "changed"), [("aa", False), ("bb", True)])
def test_a_sentinel_is_compared(after: str, changed: bool) -> None:
    assert row_of({**RED, "sentinel_sha_before": "aa", "sentinel_sha_after": after}).sentinel_changed is changed


def test_an_outcome_that_is_no_word_blocks_and_a_stated_failure_still_says_whose_it_was() -> None:
    rows = [
        {"run_id": "r", "task_id": "t1", "outcome": "error", "provider_error": {"status": 429, "gave_up": True}},
        {"run_id": "r", "task_id": "t2", "outcome": "error"},
        {"run_id": "r", "task_id": "t3", "outcome": "error", "tests_after_pass": True},
    ]
    found = import_rows([("runs.jsonl", "".join(json.dumps(row) + "\n" for row in rows).encode())])
    judged = judge(found.ledger, found.terms)
    said = {(one.key.task_id, one.axis): one.value for one in judged.labels}
    assert (said["t1", "origin"], said["t1", "reason"]) == ("INFRA", "provider_rate_limit")
    assert [said[task, "failure_class"] for task in ("t2", "t3")] == ["unresolved", "unresolved"]
    assert judged.verdict.status == "blocked"
    assert sum(one.kind == "unknown_outcome" for one in found.ledger.defects) == 3
