"""Rows of verifier endings: which are verdicts, which are not, and whether one points at the patch."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.records.values import NotMeasured
from unit.importers.given import exits, kinds, one, take

NONE = {"passed": 0, "failed": 0, "errors": 0}


def row(status: int, report: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    found = {"task_id": "t", "verify_exit": status, "expected": 3, **more}
    return found if report is None else {**found, "verify_report": report}


@pytest.mark.parametrize(
    ("told", "grade", "ending"),
    [
        (row(0, {"passed": 3, "failed": 0, "errors": 0}), "green", "passed"),
        (row(1, {"passed": 2, "failed": 1, "errors": 0}), "red", "assertion_failed"),
        (row(1, {"passed": 1, "failed": 1, "errors": 1}), "red", "assertion_failed"),
        (row(1, {"passed": 2, "failed": 0, "errors": 1}), "none", "errors_only"),
        (row(2, {**NONE, "errors": 1}), "none", "collection_error"),
        (row(3, NONE), "none", "internal_error"),
        (row(4, NONE), "none", "usage_error"),
        (row(5, NONE), "none", "nothing_ran"),
        (row(0, NONE), "none", "nothing_ran"),
        (row(0, {**NONE, "skipped": 3}), "none", "all_skipped"),
        (row(0, {**NONE, "xfailed": 3}), "none", "all_xfailed"),
        (row(0, {"passed": 2, "failed": 0, "errors": 0, "skipped": 1}), "none", "incomplete"),
        (row(137, {}), "none", "signal"),
        (row(139), "none", "signal"),
        (row(-9), "none", "signal"),
        (row(127), "none", "command_missing"),
        (row(124), "none", "incomplete"),
        (row(0, {"passed": 2, "failed": 1, "errors": 0}), "none", "disagrees"),
        (row(2, {"passed": 0, "failed": 0}, runner="unittest"), "none", "usage_error"),
        (row(101, {"passed": 2, "failed": 1}, verify_cmd="cargo test --workspace"), "red", "assertion_failed"),
        (row(5, verify_cmd="python -m pytest -q"), "none", "nothing_ran"),
    ],
)
def test_only_a_finished_verifier_gives_a_verdict(told: dict[str, Any], grade: str, ending: str) -> None:
    found = one({"verify.jsonl": [told]})
    assert (found.grade, found.runner_ending) == (grade, ending)


@pytest.mark.parametrize("more", [{}, {"runner": "ubuntu-latest"}, {"runner": "pytest"}, {"verify_cmd": "pytest -q"}])
@pytest.mark.parametrize(("status", "grade"), [(0, "green"), (1, "red")])
def test_a_plain_status_is_the_sources_verdict_as_ever(status: int, grade: str, more: dict[str, Any]) -> None:
    found = one({"traces.jsonl": [{"task_id": "t", "exit_code": status, "written_tests": False, **more}]})
    assert found.grade == grade
    assert isinstance(found.runner_ending, NotMeasured)
    assert exits(take({"traces.jsonl": [{"task_id": "t", "exit_code": status, **more}]}))["t"][1] == "MODEL"


def test_a_signal_has_its_number_and_no_verdict() -> None:
    found = one({"verify.jsonl": [row(137, {})]})
    assert found.verify_signal == 9
    assert found.verify_exit == 137


@pytest.mark.parametrize(
    ("more", "blames"),
    [
        ({}, None),
        ({"changed": ["src/bill.py"], "import_target": "bill", "baseline_collects": True}, True),
        ({"changed": ["src/bill.py"], "import_target": "numpy", "baseline_collects": True}, False),
        ({"changed": ["src/bill.py"], "import_target": "bill", "baseline_collects": False}, False),
        ({"import_target_in_patch": True, "baseline_collects": True}, True),
        ({"import_target_in_patch": False}, False),
        ({"agent_removed_tests": True}, None),
    ],
)
def test_a_collection_error_points_at_the_patch_only_where_the_row_shows_it(more: dict[str, Any], blames: Any) -> None:
    found = one({"verify.jsonl": [row(2, {**NONE, "errors": 1}, **more)]})
    assert isinstance(found.runner_blames_patch, NotMeasured) if blames is None else found.runner_blames_patch is blames


def test_deleted_tests_and_a_changed_file_in_the_traceback_are_the_patchs() -> None:
    gone = one({"v.jsonl": [row(5, NONE, changes=[["D", "tests/test_a.py"]])]})
    assert gone.runner_blames_patch is True
    broke = one({"v.jsonl": [row(3, NONE, changed=["conftest.py"], traceback_files=["conftest.py"])]})
    assert broke.runner_blames_patch is True
    ours = one({"v.jsonl": [row(3, NONE, changed=["src/a.py"], traceback_files=["/opt/plugin.py"])]})
    assert ours.runner_blames_patch is False


def test_a_word_under_expected_is_an_ending_and_a_number_is_a_number_of_tests() -> None:
    assert take({"v.jsonl": [row(1, {"passed": 2, "failed": 1})]}).ledger.rows[0].slice == "solvable"
    told = {"task_id": "t", "verify_exit": 1, "expected": "fail_or_abstain"}
    assert take({"v.jsonl": [told]}).ledger.rows[0].slice == "negative"


def test_hidden_tests_that_were_changed_are_hidden_no_longer() -> None:
    rows = [
        {"task_id": f"h{n}", "exit_code": 0, "written_tests": True, "hidden_tests": {"passed": 5, "failed": 0, **more}}
        for n, more in enumerate(({}, {"unchanged": True}, {"unchanged": False}))
    ]
    found = exits(take({"traces.jsonl": rows}))
    assert [found[f"h{n}"][2] for n in range(3)] == ["PASS_CONTRACT", "PASS_CONTRACT", "PASS_WEAK"]


def test_red_hidden_tests_beside_a_status_of_zero_are_no_verdict() -> None:
    told = {"task_id": "h", "exit_code": 0, "hidden_tests": {"passed": 4, "failed": 1}}
    assert exits(take({"traces.jsonl": [told]}))["h"][:2] == ("unscoreable", "HARNESS")


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.text(max_size=8),
    st.lists(st.text(max_size=4), max_size=3),
)
WORDS = ["passed", "failed", "errors", "skipped", "xfailed", "xpassed", "expected", "total", "stderr", "runner", "odd"]
COUNTS = st.integers(0, 4)


@given(
    st.integers(-70, 300),
    st.dictionaries(st.sampled_from(WORDS), VALUES | COUNTS, max_size=6),
    st.none() | VALUES | COUNTS,
    st.sampled_from(["", "pytest", "go", "cargo", "?"]),
)
def test_any_ending_keeps_its_row(status: int, report: dict[str, Any], expected: Any, runner: str) -> None:
    told = {"task_id": "t", "verify_exit": status, "verify_report": report, "expected": expected, "runner": runner}
    imported = take({"verify.jsonl": [told]})
    (found,) = imported.ledger.rows
    if found.grade == "green":
        assert status == 0
        assert not kinds(imported)
        assert all(report.get(word) in (None, 0, False) for word in ("failed", "errors"))
