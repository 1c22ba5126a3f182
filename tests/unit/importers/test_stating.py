"""What documents state beside rows: conditions by name, treatment, the planned comparison; and what rows record."""

from __future__ import annotations

import json
from typing import Any

import pytest

from denominator.importers import import_rows
from denominator.records.envelopes import Comparison
from denominator.records.seals import Terms
from denominator.records.values import NotMeasured


def imported(manifest: dict[str, Any] | None = None, row: dict[str, Any] | None = None, **files: Any) -> Any:
    rows = [{"task_id": "t1", "passed": True, **(row or {})}]
    named = {"outcomes.json": rows, **({"run.manifest.json": manifest} if manifest is not None else {})}
    named |= {name.replace("_json", ".json"): value for name, value in files.items()}
    return import_rows([(name, json.dumps(value).encode()) for name, value in named.items()])


def stated(terms: Terms) -> dict[str, Any]:
    return {
        one.name: one.value if isinstance(one.value, NotMeasured) else json.loads(one.value) for one in terms.conditions
    }


def test_names_numbers_and_tables():
    manifest = {
        "temperature": 0.0, "retry_cap": 2, "env": {"cpus": 2, "mem_gb": 4.0, "limits": {"pids": 9}}, "odd": {"a": {"b": [1]}},
        "retry_policy": {"http_429": 2, "verdict": 0}, "model": "prov/fam", "model_snapshot": "fam-1", "network": "none",
    }  # fmt: skip
    assert stated(imported(manifest).terms) == {
        "temperature": 0, "max_attempts": 3, "cpus": 2, "mem_gb": 4, "limits.pids": 9, "odd.a.b": [1], "network": "off",
        "retry_policy": {"http_429": 2, "verdict": 0}, "model_id": "prov/fam", "model_snapshot": "fam-1",
    }  # fmt: skip


def test_a_cap_on_retries_and_one_on_tries_are_one_condition():
    assert stated(imported({"retry_cap": 2}).terms) == stated(imported({"max_attempts": 3}).terms)
    both = imported({"retry_cap": 0, "envelope": {"max_attempts": 1}})
    assert stated(both.terms) == {"max_attempts": 1}
    assert stated(imported({"retry_cap": 2, "max_attempts": 2}).terms) != {"max_attempts": 2}


@pytest.mark.parametrize("value", [None, "", " ", "REPLACE", "<model>", "unspecified", "sha256:", "TODO"])
def test_placeholders_are_missing(value):
    assert stated(imported({"model_id": value, "seed": 7}).terms) == {"seed": 7}


def test_results_and_what_names_the_tasks_are_no_conditions():
    manifest = {
        "task_ids": ["t1"], "dataset": {"task_count": 1, "ids_digest": "x", "split": "dev"}, "controls": [], "strata": {"t": 1},
        "pass_rate": 0.5, "headline": "74.2%", "accuracy": "0.71", "seed": 7,
    }  # fmt: skip
    assert stated(imported(manifest).terms) == {"split": "dev", "seed": 7}


def test_two_values_under_one_name():
    assert stated(imported({"cpus": 2, "env": {"cpus": 4}}).terms) == {"cpus": 2, "env.cpus": 4}
    found = imported({"cpus": 2}, header_json={"cpus": 4, "seed": 1}).terms
    assert isinstance(stated(found)["cpus"], NotMeasured) and stated(found)["seed"] == 1
    same = imported({"cpus": 2}, header_json={"cpus": 2.0}).terms
    assert stated(same)["cpus"] == 2


@pytest.mark.parametrize(
    ("model", "snapshot", "known"),
    [
        ("prov/fam", "fam", False),
        ("prov/fam", "fam-latest", False),
        ("prov/fam", "fam-1", True),
        ("none", "none", True),
    ],
)
def test_a_snapshot_that_is_the_alias_or_moves_is_unknown(model, snapshot, known):
    found = stated(imported({"model_id": model, "model_snapshot": snapshot}).terms)["model_snapshot"]
    assert (found == snapshot) is known and isinstance(found, NotMeasured) is not known


@pytest.mark.parametrize(
    ("told", "fields"),
    [
        ({"treatment": ["model_id"]}, ("model_id",)), ({"treatment_fields": ["a", "b"]}, ("a", "b")),
        ({"treatment": "model_id"}, ("model_id",)), ({"treatment": [7, "", "x"]}, ("x",)), ({"treatment": {"a": 1}}, ()),
    ],
)  # fmt: skip
def test_treatments(told, fields):
    found = imported({"seed": 1, **told}).terms
    assert found.treatment == fields and stated(found) == {"seed": 1}


def test_a_planned_comparison():
    plan = {
        "primary": ["a", "b"],
        "family": ["a:c"],
        "margin": 0.05,
        "test": "midp",
        "looks": 3,
        "question": "equivalent",
    }
    wanted = Comparison(
        primary=("a", "b"),
        family=("a:c",),
        margin="0.05",
        test="midp",
        looks=3,
        question="equivalent",
        delivered_floor="0.9",
    )
    assert imported({"seed": 1, "comparison": {**plan, "delivered_floor": 0.9}}).terms.comparison == wanted
    assert imported({"seed": 1, **plan, "delivered_floor": "0.9"}).terms.comparison == wanted


def test_what_cannot_be_read_of_a_plan_is_left_out():
    odd = {"test": "vibes", "looks": -1, "margin": "wide", "primary": 7, "alpha": 2, "question": ["x"]}
    assert imported({"seed": 1, **odd}).terms.comparison == Comparison()
    assert imported({"seed": 1, "comparison": "A against B", "looks": True}).terms.comparison == Comparison()


def test_deep_and_odd_documents_are_read_without_a_word():
    deep: Any = 1
    for _ in range(60):
        deep = {"a": deep}
    found = stated(imported({"seed": 10**30, "deep": deep, "": 4, "list": [{"x": 1.50}]}).terms)
    assert found["seed"] == 10**30 and found["list"] == [{"x": 1.5}]


def test_what_rows_record_of_hosts_formats_digests_and_limits():
    row = {
        "served_by": "h1", "quant": ["bf16", "int4"], "model_requested": "fam", "model_served": "fam-1", "declared_budget_s": 900,
        "mem_kill_mb": 2048, "prompt_sha256": "aa", "tool_list_digest": "bb", "arm": "A",
        "system_fingerprint": "fp_a",
    }  # fmt: skip
    found = imported({"seed": 1}, row)
    (one,) = found.ledger.rows
    assert (one.served_hosts, one.quantisations, one.served_models) == (("h1",), ("bf16", "int4"), ("fam-1",))
    assert one.fingerprints == ("fp_a",)
    assert (one.prompt_sha256, one.tools_sha256, one.asked_model) == ("aa", "bb", "fam")
    assert one.limits_enforced == {"wall_s": "900", "mem_kill_mb": "2048"}
    assert found.terms.arm == "A"


def test_several_served_models_and_a_placeholder_host():
    (one,) = imported({"seed": 1}, {"served_models": ["a", "b"]}).ledger.rows
    assert one.served_models == ("a", "b")
    bad = imported({"seed": 1}, {"host": "<host>"}).ledger
    assert any("served_by" in defect.what or "host" in defect.what for defect in bad.defects)
