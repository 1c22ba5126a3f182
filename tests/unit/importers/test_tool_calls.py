"""Tool calls of foreign rows: one normal form, what repeats, and how many repetitions a manifest calls a loop."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.records.facts import ToolFacts
from denominator.records.values import NotMeasured
from unit.importers.given import exits, one, take


def trace(calls: Any, exit_code: int = 1) -> dict[str, Any]:
    return {"traces.jsonl": [{"task_id": "t", "exit_code": exit_code, "tool_calls": calls}]}


def call(name: str = "run", args: Any = None, sha: str | None = "same") -> dict[str, Any]:
    found = {"name": name, "args": {"cmd": "t"} if args is None else args}
    return found if sha is None else {**found, "result_sha": sha}


def tools(calls: Any) -> ToolFacts:
    found = one(trace(calls)).tools
    assert isinstance(found, ToolFacts)
    return found


def block(size: int, times: int) -> list[dict[str, Any]]:
    return [call(f"tool{at}") for at in range(size)] * times


@pytest.mark.parametrize(
    ("calls", "bucket"),
    [
        ([call()] * 3, "TOOL_LOOP"),
        ([call()] * 2, "SCORER_RED"),
        ([call(sha=f"o{n}") for n in range(5)], "SCORER_RED"),
        ([call(sha=None)] * 6, "SCORER_RED"),
        (block(2, 3), "TOOL_LOOP"),
        (block(5, 3), "TOOL_LOOP"),
        (block(5, 2), "SCORER_RED"),
        (block(6, 3), "SCORER_RED"),
        ([call(args={"a": 1, "b": 2}), call(args={"b": 2, "a": 1}), call(args={"b": 2.0, "a": 1})], "TOOL_LOOP"),
        ([call(), call("look"), call(), call("look2"), call()], "SCORER_RED"),
    ],
)
def test_what_repeats_is_a_loop_only_without_new_evidence(calls: Any, bucket: str) -> None:
    assert exits(take(trace(calls)))["t"] == ("fail", "MODEL", bucket)


def test_a_green_row_stays_a_pass_and_a_manifest_moves_the_number() -> None:
    assert exits(take({**trace([call()] * 4, 0)}))["t"][0] == "pass"
    assert take({**trace([call()] * 4), "manifest.json": {"tool_loop_n": 5}}).terms.tool_loop_n == 5
    assert exits(take({**trace([call()] * 4), "manifest.json": {"tool_loop_n": 5}}))["t"][2] == "SCORER_RED"
    assert exits(take({**trace([call()] * 2), "manifest.json": {"tool_loop_n": 2}}))["t"][2] == "TOOL_LOOP"


SAME = [
    {"name": "run", "args": {"cmd": "t"}, "result_sha256": "r"},
    {"tool": "run", "arguments": {"cmd": "t"}, "result_sha": "r"},
    {"tool_name": "run", "input": {"cmd": "t"}, "result_digest": "r"},
    {"function": {"name": "run", "arguments": '{"cmd": "t"}'}, "output_sha256": "r"},
    {"function": "run", "parameters": '{ "cmd" : "t" }', "result_sha": "r"},
]


def test_every_writing_of_a_call_is_the_same_call() -> None:
    found = tools(SAME)
    assert (found.calls, found.with_results, found.complete) == (5, 5, True)
    assert [(each.block, each.times, each.tools) for each in found.repeats] == [(1, 5, ("run",))]


@pytest.mark.parametrize("key", ["result", "output", "observation"])
def test_a_result_in_full_is_its_own_digest(key: str) -> None:
    assert tools([{"name": "a", "args": {}, key: text} for text in ("x", "x", "x")]).repeats[0].times == 3
    assert tools([{"name": "a", "args": {}, key: text} for text in ("x", "y", "z")]).repeats == ()
    assert tools([{"name": "a", "args": {}, key: {"n": n}} for n in (1.50, 1.5, 1.25)]).repeats[0].times == 2


@pytest.mark.parametrize("calls", [7, "many", {"a": 1}, [1], [{"args": {}}], [[]]])
def test_what_is_no_list_of_calls_is_not_judged_and_loses_no_row(calls: Any) -> None:
    found = one(trace(calls))
    assert isinstance(found.tools, NotMeasured)
    assert found.grade == "red"


JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=6), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3), max_leaves=6)  # fmt: skip
KEYS = st.sampled_from(
    ["name", "tool", "function", "args", "arguments", "input", "result", "output", "result_sha", "exit"]
)


@given(st.lists(st.dictionaries(KEYS, JSON, max_size=4) | JSON, max_size=5))
def test_any_list_of_calls_keeps_its_row(calls: list[Any]) -> None:
    found = one(trace(json.loads(json.dumps(calls))))
    assert found.grade == "red"
    if isinstance(found.tools, ToolFacts):
        assert found.tools.calls == len(calls)
        assert found.tools.with_results <= found.tools.calls
