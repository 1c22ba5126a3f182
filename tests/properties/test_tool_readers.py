"""No bytes make a reader of tool calls raise, and no cut of a log turns it into another log."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from denominator.readers.tools import (
    Exchange,
    facts_of,
    history_calls,
    read_tool_log,
    read_trajectory,
    traffic_calls,
    trajectory_calls,
)
from denominator.records.values import NotMeasured
from denominator.wire.providers import Api

_keys = st.sampled_from(
    [
        "role",
        "content",
        "tool_calls",
        "function",
        "name",
        "arguments",
        "id",
        "type",
        "input",
        "output",
        "call_id",
        "tool_use_id",
        "tool_call_id",
        "result",
        "error",
        "messages",
        "tools",
        "previous_response_id",
        "schema_version",
        "steps",
        "observation",
        "results",
        "source_call_id",
        "function_name",
        "action",
        "subagent_trajectories",
        "subagent_trajectory_ref",
        "is_copied_context",
        "seq",
        "args",
        "exit",
        "result_sha256",
        "function_call",
    ]
)
_words = st.sampled_from(
    ["assistant", "tool", "user", "tool_use", "tool_result", "function_call", "function_call_output", "ATIF-v1.6", "a"]
)
_leaf = st.none() | st.booleans() | st.integers(-3, 3) | _words | st.text(max_size=3)
_odd = st.recursive(
    _leaf, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_keys, inner, max_size=5), max_leaves=30
)
_apis = st.sampled_from(list(Api))


@given(st.binary(max_size=200))
def test_no_bytes_raise(data):
    read_tool_log(data)
    read_trajectory(data)
    for api in Api:
        traffic_calls([Exchange(api=api, request=data, response=data)])


@given(_odd)
def test_no_document_raises(value):
    history_calls(value)
    trajectory_calls(value)
    trajectory_calls({"schema_version": "ATIF-v1.6", "steps": value, "subagent_trajectories": value})


@given(st.lists(st.tuples(_apis, _odd, _odd), max_size=4))
def test_no_traffic_raises(exchanges):
    bodies = [
        Exchange(
            api=api,
            request=json.dumps({"messages": one, "input": one, "tools": [1], "previous_response_id": "r"}).encode(),
            response=json.dumps({"id": "r", "output": other}).encode(),
        )
        for api, one, other in exchanges
    ]
    read = traffic_calls(bodies)
    facts = facts_of(read, "traffic")
    if not isinstance(read, NotMeasured):
        assert [call.index for call in read.calls] == list(range(facts.calls))


@given(st.lists(_odd, max_size=4))
def test_no_log_raises(rows):
    read_tool_log("\n".join(json.dumps(row) for row in rows).encode())
    read_tool_log("\n".join(json.dumps({"seq": n, "name": "a", "args": row}) for n, row in enumerate(rows, 1)).encode())


@given(st.integers(0, 2000), st.integers(1, 6))
def test_a_cut_log_is_a_shorter_log_or_none(cut, count):
    rows = [{"seq": n, "name": "run", "args": {"cmd": "é"}, "exit": 0} for n in range(1, count + 1)]
    lines = [json.dumps(row, ensure_ascii=False).encode() for row in rows]
    whole = b"\n".join(lines) + b"\n"
    read = read_tool_log(whole[:cut])
    ends = {len(b"\n".join(lines[:n])) + extra for n in range(1, count + 1) for extra in (0, 1)}
    if min(cut, len(whole)) in ends:
        assert not isinstance(read, NotMeasured)
    else:
        assert isinstance(read, NotMeasured)
