"""Presets of agents that are npm packages, each over the API that it speaks: a task solved in the sandbox, network off."""

from __future__ import annotations

import shutil

import pytest

from e2e import agents_lab as lab
from e2e.node_environment import node_environment

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed"),
]
AGENTS = {
    "claude-code": ("2.1.197", "/v1/messages", "anthropic_messages"),
    "codex": ("0.171.0", "/v1/responses", "openai_responses"),
    "opencode": ("1.18.33", "/v1/chat/completions", "openai_chat"),
}
TASK = "page-count"


@pytest.mark.parametrize("agent", AGENTS)
def test_it_solves_what_the_model_knows_and_its_account_is_the_wires(agent, tmp_path):
    version, path, convention = AGENTS[agent]
    lab.prepare(tmp_path, [TASK])
    with lab.scripted(lab.by_commands, [TASK], tmp_path / "scratch") as server:
        terms = {"agent": agent, "version": version, "mount": node_environment(agent), "url": server.url}
        lab.run_agent(tmp_path, "solved", **terms)
    attempt = lab.attempt_of(tmp_path, "solved", TASK)
    assert lab.event(attempt, "agent.ended")["exit"] == 0
    assert lab.event(attempt, "patch")["touched"] == [lab.CHANGED[TASK]]
    assert lab.event(attempt, "graded")["grade"] == "green"
    assert lab.facts(attempt, "own_ending")["word"] == "finished"
    calls = [call for call in attempt["calls"] if call["purpose"] == "solve"]
    assert {(c["path"], c["outcome"], c["served_model"], c["usage_convention"]) for c in calls} == {
        (path, "ok", "scripted-1", convention)
    }
    own = lab.facts(attempt, "own_account")
    assert own["prompt"] == sum(call["usage"]["prompt"] for call in calls)
    assert own["completion"] == sum(call["usage"]["completion"] for call in calls)
    assert lab.holds_key(tmp_path) == []
