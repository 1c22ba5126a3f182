"""Runs of an agent that tells nothing of itself: the wire shows its tool calls, and a model that moves under it blocks."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from denominator.pipeline.results import Result, judge_run
from denominator.records.facts import Repetition, ToolFacts
from denominator.testing.scripted_server import MODEL, Fault, ScriptedServer
from e2e import model_runs, runs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]
TASK = "clamp-low"
AGENT = """
import json, os, subprocess, urllib.request
tools = [{"type": "function", "function": {"name": "bash", "parameters": {"type": "object"}}}]
messages = [{"role": "system", "content": "be brief"}, {"role": "user", "content": "go"}]
while True:
    body = {"model": os.environ["DENOMINATOR_MODEL"], "messages": messages, "tools": tools, "temperature": 0}
    head = {"Authorization": "Bearer " + os.environ["DENOMINATOR_MODEL_TOKEN"], "Content-Type": "application/json"}
    request = urllib.request.Request(os.environ["DENOMINATOR_MODEL_URL"] + "/chat/completions", json.dumps(body).encode(), head)
    messages.append(json.load(urllib.request.urlopen(request))["choices"][0]["message"])
    calls = messages[-1].get("tool_calls") or []
    for call in calls:
        ran = subprocess.run(json.loads(call["function"]["arguments"])["command"], shell=True, cwd="/work", capture_output=True)
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": ran.stdout.decode()})
    if not calls:
        break
"""
STEPS = ["cat README.md", "cat README.md", "cat README.md", runs.SOLVE[TASK]]


def _judged(folder: Path, moved: Mapping[str, Any], later: int = 3) -> Result:
    """A run whose answers say something else from call `later` on."""
    server = ScriptedServer(STEPS)

    def says(number: int, request: Mapping[str, Any]) -> Fault:
        return Fault(200, server.answer(request) | {"provider": "one"} | (moved if number >= later else {}))

    server.fault = says
    with server:
        model_runs.situation(folder, server, ["quiet"], [TASK])
        (folder / "agent" / "ask.py").write_text(AGENT)
        done = model_runs.run(folder, "m")
    assert done.code in (0, 1), done.err
    return judge_run(runs.opened(folder, "m"))


@pytest.fixture(scope="module")
def steady(tmp_path_factory: pytest.TempPathFactory) -> Result:
    return _judged(tmp_path_factory.mktemp("steady"), {})


MOVED = ("mixed-models", "mixed-hosts", "mixed-fingerprints")


def _found(result: Result) -> set[str]:
    return {one.allow_name for one in result.judged.findings if str(one.severity) == "block"} & set(MOVED)


def test_a_model_that_stays_is_told_on_every_row_and_stops_nothing(steady: Result) -> None:
    assert _found(steady) == set()
    (row,) = steady.ledger.rows
    assert (row.served_models, row.served_hosts, row.quantisations) == ((MODEL,), ("one",), ())
    assert (row.fingerprints, row.decoding) == (("fp-scripted",), ())
    assert isinstance(row.prompt_sha256, str) and isinstance(row.tools_sha256, str)
    calls = steady.ledger.calls
    assert {(call.asked_model, call.served_model, call.host, call.fingerprint) for call in calls} == {
        (MODEL, MODEL, "one", "fp-scripted")
    }
    assert {call.prompt_sha256 for call in calls} == {row.prompt_sha256}
    assert len({call.thread for call in calls}) == 1
    assert [dict(call.decoding_asked) for call in calls] == [{"temperature": "0"}] * len(calls)
    assert all(not call.decoding for call in calls), "what the responses did not say was made up"
    assert {call.cap_injected for call in calls} == {64}


def test_the_tool_calls_of_a_silent_agent_are_seen(steady: Result) -> None:
    (row,) = steady.ledger.rows
    assert isinstance(row.tools, ToolFacts), row.tools
    assert (row.tools.source, row.tools.calls, row.tools.complete) == ("wire", 4, True)
    assert row.tools.repeats == (Repetition(block=1, times=3, first=0, tools=("bash",)),)
    assert row.notes == ()
    assert [len(call.tool_calls) for call in steady.ledger.calls] == [1, 1, 1, 1, 0]


MOVES = [
    ({"model": "scripted-2"}, {"mixed-models"}),
    ({"system_fingerprint": "fp-other"}, {"mixed-fingerprints"}),
    ({"provider": "two"}, {"mixed-hosts"}),
    ({"quantization": "int4"}, set()),
]


@pytest.mark.parametrize(("moved", "blocks"), MOVES, ids=[json.dumps(moved) for moved, _ in MOVES])
def test_what_moves_inside_a_run_blocks(tmp_path: Path, moved: Mapping[str, Any], blocks: set[str]) -> None:
    assert _found(_judged(tmp_path, moved)) == blocks
