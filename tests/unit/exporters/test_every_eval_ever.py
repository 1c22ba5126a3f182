"""Every Eval Ever by the vendored schema; by its own validator in tests/e2e/test_export_official.py."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from denominator.errors import BlockedError, InputError
from denominator.exporters.every_eval_ever import EXPORTER
from denominator.pipeline.exporting import export
from denominator.pipeline.results import Result
from denominator.records.rows import CallRow
from denominator.records.values import NotMeasured
from unit.exporters.export_lab import conditions, run_of, solvable

SCHEMA = json.loads((Path(__file__).parents[2] / "data/schemas/every_eval_ever-0.3.0/eval.schema.json").read_text())
TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}


def faults(schema: dict[str, Any], value: Any, where: str = "") -> list[str]:
    """What a document lacks by the words of JSON Schema that this schema uses."""
    if "$ref" in schema:
        return faults(SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]], value, where)
    if "oneOf" in schema:
        every = [faults(one, value, where) for one in schema["oneOf"]]
        return [] if sum(not one for one in every) == 1 else [f"{where}: none or several of {every}"]
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(
        isinstance(value, TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool)) for kind in kinds
    ):
        return [f"{where}: is no {kinds}"]
    found = [f"{where}: {value!r} is not allowed"] * (
        value not in schema.get("enum", [value]) or value != schema.get("const", value)
    )
    if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        found.append(f"{where}: does not match")
    if isinstance(value, list):
        found += [
            one
            for place, inner in enumerate(value)
            for one in faults(schema.get("items", {}), inner, f"{where}/{place}")
        ]
    if isinstance(value, dict):
        known, rest = schema.get("properties", {}), schema.get("additionalProperties", True)
        found += [f"{where}/{name}: is missing" for name in schema.get("required", ()) if name not in value]
        for name, inner in value.items():
            if name in known or isinstance(rest, dict):
                found += faults(known.get(name, rest), inner, f"{where}/{name}")
            elif rest is False:
                found.append(f"{where}/{name}: is not known")
    return found


def document(result: Result) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(export(result, EXPORTER))
    assert faults(SCHEMA, made) == []
    return made


def test_the_check_by_the_schema_sees_what_is_wrong() -> None:
    made = document(run_of())
    for path, value, word in (
        ("score", "0.6", "is no"),
        ("details", {"a": 1}, "is no"),
    ):
        made["evaluation_results"][0]["score_details"] = {"score": 1, path: value}
        assert word in faults(SCHEMA, made)[0]
    del made["eval_library"]
    made["more"] = 1
    assert {"/eval_library: is missing", "/more: is not known"} <= set(faults(SCHEMA, made))


def test_a_rate_stands_with_its_counts_and_its_interval() -> None:
    made = document(run_of())
    (result,) = made["evaluation_results"]
    assert result["score_details"]["score"] == 0.6875
    assert result["score_details"]["uncertainty"] == {
        "confidence_interval": {
            "lower": 0.444044, "upper": 0.858354, "confidence_level": 0.95,
            "method": "Wilson score interval, exact normal quantile",
        },
        "num_samples": 16,
    }  # fmt: skip
    details = result["score_details"]["details"]
    assert (details["numerator"], details["denominator"], details["draws_fail"]) == ("11", "16 draws", "5")
    assert details["sentence"].startswith("made-up: 11 of 16 declared draws")


def test_conditions_are_filled_and_unknown_ones_say_why() -> None:
    made = document(run_of())
    generation = made["evaluation_results"][0]["generation_config"]
    assert generation["generation_args"] == {
        "temperature": 0, "max_tokens": 4096, "eval_limits": {"time_limit": 600, "token_limit": 200000},
        "eval_plan": {"name": "coder", "config": {}}, "sandbox": {"type": "bubblewrap"},
        "agentic_eval_config": {"additional_details": {"agent_id": "coder"}},
    }  # fmt: skip
    assert generation["additional_details"]["seed"] == "not measured: no seed was sent"
    assert generation["additional_details"]["temperature"] == "0 (declared)"
    assert (made["model_info"]["id"], made["model_info"]["developer"]) == ("lab/m-1", "lab")
    assert made["eval_library"]["name"] == "denominator"
    assert (made["retrieved_timestamp"], made["evaluation_id"]) == ("1795773600", "made-up/lab/m-1/1795773600")


def test_what_nobody_stated_is_left_out() -> None:
    unknown = {
        name: NotMeasured("it is not recorded")
        for name in ("temperature", "max_output_tokens", "wall_cap_s", "sandbox")
    }
    args = document(run_of(conditions=conditions(**unknown)))["evaluation_results"][0]["generation_config"][
        "generation_args"
    ]
    assert sorted(args) == ["agentic_eval_config", "eval_limits", "eval_plan"]
    assert args["eval_limits"] == {"token_limit": 200000}


def test_nothing_stands_for_an_agent_that_nobody_named() -> None:
    unknown = conditions(agent_id=NotMeasured("it is not recorded"))
    args = document(run_of(conditions=unknown))["evaluation_results"][0]["generation_config"]["generation_args"]
    assert not {"agentic_eval_config", "eval_plan"} & set(args)


@pytest.mark.parametrize(
    ("text", "number"), [('"0.0"', 0), ('"0.25"', 0.25), ("1", 1), ('"none"', None), ('"warm"', None)]
)
def test_a_number_may_be_decimal_text(text: str, number: float | None) -> None:
    args = document(run_of(conditions=conditions(temperature=text)))["evaluation_results"][0]["generation_config"]
    assert args["generation_args"].get("temperature") == number


def test_tools_that_were_called_were_there() -> None:
    result = run_of()
    calls = tuple(
        CallRow(key=result.ledger.rows[0].key, seq=n, tool_calls=("sh:aa", "edit:bb", "?:?"), tools_sha256="c" * 64)
        for n in (1, 2)
    )
    made = document(replace(result, ledger=replace(result.ledger, calls=calls)))
    args = made["evaluation_results"][0]["generation_config"]["generation_args"]
    assert args["agentic_eval_config"] == {
        "available_tools": [{"name": "edit"}, {"name": "sh"}],
        "additional_details": {"agent_id": "coder", "available_tools": "those that were called", "tools_sha256": "c" * 64},
    }  # fmt: skip


def test_draws_without_a_score_are_counted_and_told() -> None:
    from unit.exporters.test_junit import broken

    made = document(
        run_of(
            [*solvable(15), broken("infra", "evicted", "sandbox", "agent")], invalid_ceiling="0.5", infra_ceiling="0.5"
        )
    )
    details = made["evaluation_results"][0]["score_details"]
    assert details["score"] == 0.625
    assert (details["details"]["draws_unscoreable"], details["details"]["unscoreable_evicted"]) == ("1", "1")
    assert details["details"]["denominator"] == "16 draws"


@pytest.mark.parametrize(
    ("result", "word"),
    [
        (lambda: run_of(solvable(4)), "no rate may be printed"),
        (lambda: run_of(control="green"), "a control is violated"),
        (lambda: run_of(solvable(16), changed=("pack",)), "no rate may be printed"),
    ],
)
def test_a_withheld_rate_is_refused(result: Any, word: str) -> None:
    with pytest.raises(BlockedError, match=word) as caught:
        export(result(), EXPORTER)
    assert not re.search(r"\d%|0\.\d", str(caught.value))


@pytest.mark.parametrize(
    ("over", "rows", "word"),
    [
        ({"conditions": conditions(model_id=NotMeasured("no"))}, solvable(), "no model is named"),
        ({"conditions": conditions(model_id='"none"')}, solvable(), "no model is named"),
        ({}, solvable(started_at=NotMeasured("no")), "nobody stated when"),
    ],
)
def test_what_the_format_demands_is_asked_for(over: dict[str, Any], rows: list[Any], word: str) -> None:
    with pytest.raises(InputError, match=word):
        export(run_of(rows, **over), EXPORTER)
