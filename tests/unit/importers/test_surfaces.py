"""Called names and paths beside a frozen specification; canaries in what an agent printed; spent accounts; packs alone."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.errors import InputError
from denominator.records.facts import SurfaceFacts
from denominator.records.values import NotMeasured
from unit.importers.given import exits, judged, kinds, one, take

SPEC = {"paths": ["/v1/bills", "/v1/bills/{id}"], "symbols": ["BillClient"]}
OPENAPI = {
    "openapi": "3.0.0",
    "paths": {"/v1/bills": {"get": {}}, "/v1/bills/{id}": {"get": {}, "delete": {}}},
}


def trace(called: Any, **more: Any) -> dict[str, Any]:
    return {"task_id": "i", "exit_code": 0, "written_tests": False, "hidden_tests": {"passed": 3, "failed": 0}, "called": called, **more}  # fmt: skip


@pytest.mark.parametrize("spec", [SPEC, OPENAPI])
@pytest.mark.parametrize(
    ("called", "bucket"),
    [
        (["/v1/bills/417"], "PASS_CONTRACT"),
        (["/v2/invoices"], "ASSUME_API"),
        (["/v1/bills/417/lines"], "ASSUME_API"),
        (["json.dumps", "len", "/v1/bills"], "PASS_CONTRACT"),
        (["json.dumpz"], "ASSUME_API"),
        ([], "PASS_CONTRACT"),
    ],
)
def test_called_minus_what_is_known(spec: dict[str, Any], called: list[str], bucket: str) -> None:
    assert exits(take({"traces.jsonl": [trace(called)], "spec.json": spec}))["i"][2] == bucket


def test_own_definitions_and_declared_libraries_are_known() -> None:
    told = trace(["_page", "yarn.spin"], defined=["_page"], libraries=["yarn"])
    assert exits(take({"traces.jsonl": [told], "spec.json": SPEC}))["i"][2] == "PASS_CONTRACT"
    told = trace(["_page", "yarn.spin"], defined=["_page"])
    found = one({"traces.jsonl": [told], "spec.json": SPEC}).surfaces
    assert isinstance(found, SurfaceFacts)
    assert found.invented == ("yarn.spin",)
    spec = {**SPEC, "libraries": ["yarn"]}
    assert exits(take({"traces.jsonl": [told], "spec.json": spec}))["i"][2] == "PASS_CONTRACT"


def test_another_language_has_no_table_and_only_paths_are_judged() -> None:
    told = trace(["Math.floor", "/v2/invoices"], language="javascript")
    found = one({"traces.jsonl": [told], "spec.json": SPEC}).surfaces
    assert isinstance(found, SurfaceFacts)
    assert found.invented == ("/v2/invoices",)
    assert found.unchecked == ("Math.floor: no table of javascript is at hand",)


@pytest.mark.parametrize("called", ["x", 3, [1], {"a": 1}])
def test_what_is_no_list_of_names_is_not_evaluated(called: Any) -> None:
    assert isinstance(one({"traces.jsonl": [trace(called)], "spec.json": SPEC}).surfaces, NotMeasured)


def test_without_a_specification_nothing_is_invented() -> None:
    assert isinstance(one({"traces.jsonl": [trace(["/v9"])]}).surfaces, NotMeasured)


@given(st.lists(st.text(max_size=12), max_size=4), st.lists(st.text(max_size=6), max_size=2), st.dictionaries(st.sampled_from(["paths", "symbols", "openapi", "servers"]), st.lists(st.text(max_size=6), max_size=2) | st.text(max_size=4), min_size=1))  # fmt: skip
def test_any_names_and_any_specification_keep_the_row(
    called: list[str], defined: list[str], spec: dict[str, Any]
) -> None:
    files = {"traces.jsonl": [trace(called, defined=defined)], "spec.json": spec}
    found = one(files)
    assert found.grade == "green"
    if isinstance(found.surfaces, SurfaceFacts):
        assert {*found.surfaces.invented} <= {name.strip() for name in called}


CARD = [{"id": "k", "slice": "canary", "canary": "CANARY-11bb22"}]


@pytest.mark.parametrize(
    ("told", "hit", "echo"),
    [
        ({"patch": "+# CANARY-11bb22", "stdout": ""}, True, False),
        ({"patch": "", "stdout": "card: CANARY-11bb22"}, False, True),
        ({"patch": "", "log": "card: CANARY-11bb22"}, False, True),
        ({"patch": "", "stderr": "canary-11BB22"}, False, True),
        ({"patch": "+" + base64.b64encode(b"CANARY-11bb22").decode(), "stdout": ""}, True, False),
        ({"patch": "+a = 'CANARY-' + '11bb22'", "stdout": ""}, True, False),
        ({"patch": "+clean", "stdout": "nothing"}, False, False),
        ({"patch": "", "tool_calls": [{"name": "sh", "args": {"cmd": "echo CANARY-11bb22"}}]}, False, True),
    ],
)
def test_the_token_in_the_patch_is_a_hit_and_elsewhere_an_echo(told: dict[str, Any], hit: bool, echo: bool) -> None:
    imported = take({"trials.jsonl": [{"task_id": "k", "verdict": "pass", **told}], "tasks.jsonl": CARD})
    (row,) = imported.ledger.rows
    assert bool(row.canary_hits) is hit
    assert (row.canary_echo is True) is echo
    assert ("canary_echo" in kinds(imported)) is echo
    if hit or echo:
        assert exits(imported)["k"][0] != "pass"


def error(**told: Any) -> dict[str, Any]:
    return {"status": 429, "retry_after": None, **told}


def test_a_spent_account_blocks_and_lists_what_it_cut() -> None:
    rows = [{"task_id": f"t{n}", "outcome": "pass" if n < 3 else "fail"} for n in range(1, 6)]
    for row in rows[2:]:
        row["provider_error"] = error(error_code="spend_limit_reached")  # type: ignore[assignment]
    manifest = {"dataset": {"task_ids": [f"t{n}" for n in range(1, 6)]}}
    imported = take({"runs.jsonl": rows, "manifest.json": manifest})
    verdict = judged(imported).verdict
    (found,) = [each for each in verdict.findings if each.allow_name == "spent-quota"]
    assert found.severity == "block"
    assert "t3, t4, t5" in found.what
    assert "NO_AGGREGATE" in verdict.sentence
    limited = take({"runs.jsonl": [{**rows[4], "provider_error": error(type="rate_limit_error", retry_after=3)}]})
    assert not [
        each for each in judged(limited).findings if each.allow_name == "spent-quota" and each.severity != "held"
    ]


@pytest.mark.parametrize(
    "card",
    [
        {"id": "e", "repo": "x/y", "sha": "a1", "fail_to_pass": [], "pass_to_pass": [], "test_cmd": "run", "license": "MIT"},
        {"id": "a", "prompt": "Fix test_half_even", "hidden_test": "t.py", "hidden_ids": ["test_half_even"]},
    ],
)  # fmt: skip
def test_task_cards_alone_point_at_the_pack_check(card: dict[str, Any]) -> None:
    with pytest.raises(InputError) as caught:
        take({"tasks.jsonl": [card]})
    assert "denominator pack lint tasks.jsonl" in str(caught.value.fix)


def test_two_manifests_are_refused_with_a_command_that_works() -> None:
    rows = [{"task_id": "p1", "exit_code": 0, "stopped_by": "harness", "timeout": True, "wall_s": 900.2, "wall_cap": 900, "written_tests": False, "tool_calls": []}]  # fmt: skip
    fail, grade = {"on_timeout": "fail", "wall_s": 900}, {"on_timeout": "grade", "wall_s": 900}
    with pytest.raises(InputError) as caught:
        take({"traces.jsonl": rows, "manifest_fail.json": fail, "manifest_grade.json": grade})
    assert "import rows traces.jsonl manifest_fail.json" in str(caught.value.fix)
    assert exits(take({"traces.jsonl": rows, "manifest_fail.json": fail}))["p1"] == ("fail", "MODEL", "TIMEOUT")
    assert exits(take({"traces.jsonl": rows, "manifest_grade.json": grade}))["p1"] == ("pass", "MODEL", "PASS_CONTRACT")
    open_ = judged(take({"traces.jsonl": rows}))
    assert open_.verdict.status == "blocked"
    assert "no-on-timeout-policy" in {each.allow_name for each in open_.findings}


def test_a_claimed_timeout_that_the_clock_denies_is_a_note() -> None:
    row = one({"t.jsonl": [{"task_id": "c", "exit_code": 1, "failure_mode": "timeout", "stopped_by": "agent", "wall_s": 6.2, "wall_cap": 300}]})  # fmt: skip
    assert row.notes == ("the source calls it 'timeout', measured 6.2 s of 300 s; who ended it and the clock decide",)
