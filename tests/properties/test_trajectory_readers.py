"""No bytes make a reader of trajectories raise; what is told is sound ATIF that can be written, and fits Harbor's schema."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.readers.trajectories import FORMATS, Told, atif_problems, read_told
from denominator.wire.canonical import canonical

SCHEMA = Path(__file__).resolve().parents[3] / "shared/samples/harbor-0.26.0/atif_trajectory.schema.json"
NAMES = [
    "type",
    "subtype",
    "message",
    "messages",
    "content",
    "role",
    "text",
    "thinking",
    "tool_use",
    "tool_result",
    "id",
    "name",
    "input",
    "usage",
    "part",
    "state",
    "tokens",
    "cache",
    "read",
    "write",
    "output",
    "item",
    "event",
    "properties",
    "reason",
    "kind",
    "action",
    "observation",
    "tool_call_id",
    "tool_name",
    "tool_calls",
    "function",
    "arguments",
    "extra",
    "response",
    "info",
    "model_stats",
    "api_calls",
    "instance_cost",
    "trajectory_format",
    "config",
    "model",
    "model_name",
    "exit_status",
    "session_id",
    "sessionID",
    "thread_id",
    "modelUsage",
    "total_cost_usd",
    "stats",
    "status",
    "prompt_tokens",
    "completion_tokens",
    "total_cost",
    "callID",
    "timestamp",
    "cost",
    "llm_message",
    "source",
    "error",
    "output_tokens",
    "input_tokens",
    "inputTokens",
    "mini_version",
    "tool_id",
]
WORDS = [
    "system",
    "init",
    "assistant",
    "user",
    "tool",
    "result",
    "success",
    "text",
    "tool_use",
    "tool_result",
    "thinking",
    "step_finish",
    "step_start",
    "error",
    "thread.started",
    "item.completed",
    "turn.completed",
    "command_execution",
    "agent_message",
    "message_send",
    "exit",
    "mini-swe-agent-1.1",
    "MessageEvent",
    "ActionEvent",
    "ObservationEvent",
    "message",
    "tool_result",
    "finish",
]
leaf = (
    st.none()
    | st.booleans()
    | st.integers(-3, 10**20)
    | st.floats(allow_nan=False)
    | st.sampled_from(WORDS)
    | st.text(max_size=4)
)
odd = st.recursive(
    leaf,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5),
    max_leaves=25,
)
HEADS = {
    "mini-swe-agent": [],
    "aider": [],
    "claude-code": [{"type": "system", "subtype": "init"}],
    "codex": [{"type": "thread.started"}],
    "opencode": [{"type": "text", "sessionID": "s"}],
    "gemini-cli": [{"type": "init", "session_id": "s"}],
    "openhands": [{"kind": "MessageEvent"}],
}
rows = st.lists(st.dictionaries(st.sampled_from(NAMES), odd, max_size=6), max_size=6)
formats = st.sampled_from(sorted(FORMATS))


def _sound(told) -> None:
    if isinstance(told, Told):
        assert atif_problems(told.atif) == []
        assert json.loads(canonical(told.atif))


@given(formats, st.binary(max_size=200), st.binary(max_size=80))
def test_no_bytes_raise(format_, data, more):
    _sound(read_told(format_, {"": data, "events": more}))


@given(formats, rows)
def test_no_events_raise(format_, found):
    lines = b"".join(json.dumps(row).encode() + b"\n" for row in [*HEADS[format_], *found])
    _sound(read_told(format_, {"": lines}))
    _sound(read_told("aider", {"": b"# aider chat started at x\n" + lines, "events": lines}))


@given(odd, rows)
def test_no_document_raises(info, messages):
    document = {"trajectory_format": "mini-swe-agent-1", "info": info, "messages": messages}
    told = read_told("mini-swe-agent", {"": json.dumps(document).encode()})
    _sound(told)


@given(st.lists(st.sampled_from(["#### a", "> b", "c", "```", "", "> ", "# aider chat started at x"]), max_size=12))
def test_no_line_of_a_chat_is_lost(lines):
    told = read_told("aider", {"": "\n".join(["# aider chat started at x", "z", *lines]).encode()})
    assert isinstance(told, Told)
    said = "\n".join(step["message"] for step in told.atif["steps"])
    assert said.count("c") >= sum(line == "c" for line in lines)


@cache
def _validator():
    jsonschema = pytest.importorskip("jsonschema")
    if not SCHEMA.is_file():
        pytest.skip("the sample schema is not here")
    return jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text("utf-8")))


@settings(max_examples=40)
@given(formats, rows)
def test_what_is_told_fits_the_published_schema(format_, found):
    validator = _validator()
    lines = b"".join(json.dumps(row).encode() + b"\n" for row in [*HEADS[format_], *found])
    told = read_told(format_, {"": lines})
    if isinstance(told, Told):
        validator.validate(json.loads(canonical(told.atif)))
