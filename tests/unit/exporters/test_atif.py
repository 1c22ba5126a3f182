"""ATIF: by the constraints of its schema and of Harbor's model, and read again by our own reader."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.errors import InputError
from denominator.exporters.atif import EXPORTER, trajectory, written
from denominator.importers.formats.harbor import IMPORTER as HARBOR
from denominator.pipeline.exporting import export_of
from denominator.readers.tools import ToolCalls, facts_of, read_trajectory
from denominator.readers.tools.wire_calls import wire_calls
from denominator.readers.trajectories import atif_problems, read_told, wire
from denominator.readers.trajectories.wire import NO_BODY
from denominator.records.exports import AttemptTrace
from denominator.records.facts import ToolFacts
from denominator.records.rows import Usage
from denominator.records.values import NotMeasured
from denominator.wire.sources import open_source
from importer_examples.harbor import trial
from judging_data import own
from unit.exporters.export_lab import run_of
from unit.exporters.trace_lab import STORY, Kept, call, request, trace, traffic

SCHEMA = json.loads((Path(__file__).parents[2] / "data/schemas/atif-1.8/trajectory.schema.json").read_text())
APIS = ("chat", "messages", "responses")


def exported(one: AttemptTrace) -> dict[str, Any]:
    """The document, sound by the schema, by Harbor's further rules, and by our own check."""
    data = written(trajectory(one, export_of(run_of())))
    document: dict[str, Any] = json.loads(data)
    jsonschema.validate(document, SCHEMA)
    assert atif_problems(document) == []
    assert sound(document)
    return document


def sound(document: dict[str, Any]) -> bool:
    """What Harbor's model checks beside the schema: ids of steps, results of calls of the same step, ids of sub-agents."""
    for number, step in enumerate(document["steps"], start=1):
        ids = [one["tool_call_id"] for one in step.get("tool_calls", ())]
        sources = [one.get("source_call_id") for one in step.get("observation", {}).get("results", ())]
        assert step["step_id"] == number
        assert set(sources) - {None} <= set(ids)
        assert step.get("llm_call_count") != 0 or not {"metrics", "reasoning_content"} & set(step)
    inner = document.get("subagent_trajectories", [])
    assert len({one["trajectory_id"] for one in inner}) == len(inner)
    return all(map(sound, inner))


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("api", APIS)
def test_what_was_exported_is_read_again_with_the_same_calls_usage_and_steps(api: str, streamed: bool) -> None:
    kept = Kept()
    calls = traffic(kept, api, streamed=streamed)
    document = exported(trace(calls, kept))
    read = read_trajectory(written(document))
    assert isinstance(read, ToolCalls) and read.gaps == ()
    assert [f"{one.tool}:{one.arguments_sha256}" for one in read.calls] == [d for one in calls for d in one.tool_calls]
    assert facts_of(read, "x") == facts_of(wire_calls(calls, kept.__getitem__), "x")
    steps = document["steps"]
    assert [step["source"] for step in steps] == ["system", "user", "agent", "agent", "agent"]
    said = [step["message"] for step in steps]

    assert said[:2] == ["be good", "go"] and said[-1] == "done"
    assert steps[2]["tool_calls"][0]["arguments"] == {"cmd": "ls", "share": 0.5}
    results = [one["content"] for step in steps for one in step.get("observation", {}).get("results", ())]
    assert results == ["out of c1", "out of c2", "out of c3"]
    assert [step["metrics"] for step in steps[2:]] == [
        {"prompt_tokens": 100, "completion_tokens": 7, "cached_tokens": 40}
    ] * 3
    final = document["final_metrics"]
    assert (final["total_prompt_tokens"], final["total_completion_tokens"], final["total_cached_tokens"]) == (
        300,
        21,
        120,
    )
    assert sum(step["llm_call_count"] for step in steps[2:]) == final["extra"]["model_calls"] == 3
    assert document["extra"]["told_by"] == "gateway"


def test_another_beginning_is_a_story_of_its_own() -> None:
    kept = Kept()
    calls = [*traffic(kept, "chat", streamed=False), call(9, kept, "chat", (), STORY[1], thread="two", first="help")]
    document = exported(trace(calls, kept))
    (other,) = document["subagent_trajectories"]
    assert [step["message"] for step in other["steps"]] == ["be good", "help", "again"]
    read = read_trajectory(written(document))
    assert isinstance(read, ToolCalls)
    assert [one.thread for one in read.calls] == [0, 0, 0, 1]


def test_a_history_that_was_made_elsewhere_is_copied_context() -> None:
    kept = Kept()
    document = exported(trace([call(1, kept, "chat", STORY[:2], STORY[2])], kept))
    assert [step.get("is_copied_context", False) for step in document["steps"]] == [False, False, True, True, False]
    read = read_trajectory(written(document))
    assert isinstance(read, ToolCalls) and read.calls == ()


def test_a_history_that_is_marked_and_cut_anew_is_told_once() -> None:
    kept = Kept()
    first, second, third = (request("messages", STORY[:n]) for n in range(3))
    second["system"] = [{"type": "text", "text": "be good", "cache_control": {"type": "ephemeral"}}]
    first["system"] = third["system"] = [{"type": "text", "text": "be good"}]
    second["messages"][0]["content"] = [{"type": "text", "text": "go", "cache_control": {"type": "ephemeral"}}]
    first["messages"][0]["content"] = third["messages"][0]["content"] = [{"type": "text", "text": "go"}]
    third["messages"][2]["content"][0]["content"] = "(old output was left out)"
    calls = [
        replace(one, request_sha256=kept.put(json.dumps(asked).encode()))
        for one, asked in zip(traffic(kept, "messages", streamed=False), (first, second, third), strict=True)
    ]
    document = exported(trace(calls, kept))
    assert [step["source"] for step in document["steps"]] == ["system", "user", "agent", "agent", "agent"]
    results = [one["content"] for step in document["steps"] for one in step.get("observation", {}).get("results", ())]
    assert results == ["out of c1", "out of c2", "out of c3"]


def test_an_id_that_is_used_again_is_another_call() -> None:
    kept = Kept()
    story = (("one", [("c", "sh", {"n": 1})]), ("two", [("c", "sh", {"n": 2})]), ("done", []))
    document = exported(trace(traffic(kept, "chat", streamed=False, story=story), kept))
    agent = [step for step in document["steps"] if step["source"] == "agent"]
    assert [len(step.get("observation", {}).get("results", ())) for step in agent] == [1, 1, 0]


def test_calls_that_failed_and_bodies_that_are_gone_are_said() -> None:
    kept = Kept()
    failed = call(1, kept, "chat", (), STORY[0], outcome="retry", status=429, error="rate_limit")
    gone = replace(call(2, kept, "chat", (), STORY[0]), bodies_kept=False)
    document = exported(trace([failed, gone], kept))
    assert [(step["source"], step["message"]) for step in document["steps"][2:]] == [
        ("system", "call 1 of the model failed and was tried again: rate_limit, 429"),
        ("agent", NO_BODY),
    ]


def test_more_than_anybody_reads_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "ALL_BYTES_MAX", 900)
    kept = Kept()
    document = exported(trace(traffic(kept, "chat", streamed=False), kept))
    told = [step["message"] for step in document["steps"] if step["source"] == "agent"]
    assert (len(told), told[0], told[-1]) == (3, "first I look", NO_BODY)


def test_without_tool_calls_on_the_wire_the_agent_tells_and_the_gateway_counts() -> None:
    messages = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": "ls", "extra": {"actions": ["ls"], "timestamp": "when I like"}},
    ]
    info = {"mini_version": "2", "exit_status": "Submitted", "model_stats": {"api_calls": 1, "instance_cost": 0.25}}
    told = read_told(
        "mini-swe-agent",
        {"": json.dumps({"trajectory_format": "mini-swe-agent-1.1", "info": info, "messages": messages}).encode()},
    )
    assert not isinstance(told, NotMeasured)
    told_tokens = {**told.atif, "final_metrics": {"total_prompt_tokens": 5, "extra": {"cost_usd": "0.25"}}}
    kept = Kept()
    document = exported(trace([call(1, kept, "chat", (), ("ls", []))], kept, own=told_tokens))
    assert document["extra"]["told_by"] == "agent"
    assert document["agent"]["name"] == "mini-swe-agent"
    assert all("timestamp" not in step for step in document["steps"])
    final = document["final_metrics"]
    assert (final["total_prompt_tokens"], final["extra"]["own_total_prompt_tokens"]) == (300, 5)
    assert (final["extra"]["cost_usd"], final["extra"]["counted_by"]) == ("0.25", "gateway")


def test_a_tool_log_is_told_where_nothing_else_is() -> None:
    log = b'{"seq":1,"name":"sh","args":{"cmd":"ls","n":0.1},"exit":0}\n{"seq":2,"name":"sh","args":{"cmd":"ls"}}\n'
    silent = own("t1", incarnations=1, usage=Usage(prompt=NotMeasured("no gateway")))
    document = exported(trace(log=log, row=silent))
    assert document["extra"]["told_by"] == "tool_log"
    assert [step["message"] for step in document["steps"]] == ["do it", "", ""]
    assert document["steps"][1]["tool_calls"][0] == {
        "tool_call_id": "log-1", "function_name": "sh", "arguments": {"cmd": "ls", "n": 0.1}, "extra": {"exit": 0},
    }  # fmt: skip
    assert document["final_metrics"]["extra"]["not_measured_prompt"] == "no gateway"
    assert "total_prompt_tokens" not in document["final_metrics"]


def test_an_attempt_that_told_nothing_has_its_prompt() -> None:
    document = exported(trace())
    assert [(step["source"], step["message"]) for step in document["steps"]] == [("user", "do it")]
    assert (document["extra"]["told_by"], document["extra"]["task_id"]) == ("harness", "t1")


def test_no_word_of_the_verdict_is_in_it() -> None:
    kept = Kept()
    passed, failed = (
        written(trajectory(trace(traffic(kept, "chat", streamed=False), kept, row=row), export_of(run_of())))
        for row in (own("t1", "green", incarnations=1), own("t1", "red", incarnations=1))
    )
    assert passed == failed


def test_one_file_an_attempt_and_only_of_runs_of_ours() -> None:
    run = export_of(run_of())
    rows = [own("a/b", incarnations=1), own("t1", incarnations=1)]
    files = dict(EXPORTER.files(replace(run, traces=lambda: [trace(row=row) for row in rows])))
    assert len(files) == 2 and "t1.r1.a1.json" in files and not any("/" in name for name in files)
    with pytest.raises(InputError, match="keeps what its agents did"):
        EXPORTER.files(run)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_whatever_the_bodies_hold_the_document_is_sound(data: st.DataObject) -> None:
    kept = Kept()
    api = data.draw(st.sampled_from(APIS))
    calls = traffic(kept, api, streamed=data.draw(st.booleans()))
    sha = data.draw(st.sampled_from(sorted(kept)))
    body = bytearray(kept[sha])
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(body) - 1))
        body[at : at + data.draw(st.integers(0, 9))] = data.draw(
            st.sampled_from([b"", b"null", b"[[", b'"\\ud800"', b"1e999", b"\xff", b'{"a":1.25}', b'"'])
        )
    kept[sha] = bytes(body)
    exported(trace(calls, kept))


def test_the_importer_of_harbor_reads_the_same_usage_and_calls(tmp_path: Path) -> None:
    kept = Kept()
    trial(tmp_path / "alpha__0000009", "alpha", {"reward": 1.0}, agent_result=None)
    (tmp_path / "alpha__0000009" / "agent").mkdir(exist_ok=True)
    made = trajectory(trace(traffic(kept, "chat", streamed=False), kept), export_of(run_of()))
    for step in made["steps"]:
        # Harbor's own agents count calls on their steps alone; so does what we write.
        assert ("llm_call_count" in step) == (step["source"] == "agent")
    (tmp_path / "alpha__0000009" / "agent" / "trajectory.json").write_bytes(written(made))
    run = HARBOR.read(open_source(tmp_path / "alpha__0000009"))
    (found,) = list(run.rows)
    usage = found.row.usage
    assert (usage.prompt, usage.completion, usage.cached_read, usage.calls) == (300, 21, 120, 3)
    assert isinstance(found.row.tools, ToolFacts) and found.row.tools.calls == 3
