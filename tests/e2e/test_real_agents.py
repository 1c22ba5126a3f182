"""Presets of real agents, end to end: in the sandbox, network off, through the gateway, against real servers.

A scripted server shows that the way from a preset to a graded patch is whole; llama.cpp's own server with random weights
shows that noise ends as the model's own failure (no patch, never INFRA), with real traffic on the rows.
"""

from __future__ import annotations

import json
import shutil

import pytest

from e2e import agents_lab as lab
from e2e.environment import environment
from e2e.local_servers import TINY, litellm_proxy, llama_cpp

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]
AGENTS = {"mini-swe-agent": ("2.4.6", lab.by_commands), "aider": ("0.86.2", lab.by_words)}


def _terms(agent, url, **more):
    return {"agent": agent, "version": AGENTS[agent][0], "mount": environment(agent), "url": url, **more}


@pytest.fixture(scope="module", params=AGENTS)
def solved(request, tmp_path_factory):
    """One run of a preset against the script: (agent, folder, what was printed, the server)."""
    agent = request.param
    folder = tmp_path_factory.mktemp("solved")
    lab.prepare(folder)
    with lab.scripted(AGENTS[agent][1], lab.TASKS, folder / "scratch") as server:
        printed = lab.run_agent(folder, "solved", **_terms(agent, server.url))
        yield agent, folder, printed, server


@pytest.mark.parametrize("task", lab.TASKS)
def test_a_preset_solves_what_the_model_knows(solved, task):
    _, folder, _, _ = solved
    attempt = lab.attempt_of(folder, "solved", task)
    assert lab.event(attempt, "agent.ended")["exit"] == 0
    assert lab.event(attempt, "patch")["touched"] == ([lab.CHANGED[task]] if task in lab.CHANGED else [])
    assert lab.event(attempt, "graded")["grade"] == "green"
    assert lab.facts(attempt, "own_ending")["word"] == "finished"


@pytest.mark.parametrize("task", lab.TASKS)
def test_its_own_account_is_what_went_over_the_wire(solved, task):
    _, folder, _, _ = solved
    attempt = lab.attempt_of(folder, "solved", task)
    own = lab.facts(attempt, "own_account")
    calls = attempt["calls"]
    assert calls
    assert {(c["outcome"], c["status"], c["served_model"]) for c in calls} == {("ok", 200, "scripted-1")}
    assert own["calls"] == len(calls)
    assert own["prompt"] == sum(c["usage"]["prompt"] for c in calls)
    assert own["completion"] == sum(c["usage"]["completion"] for c in calls)
    assert own["cost"] == {"not_measured": "the agent counts 0 dollars: it knows no price"}


def test_its_trajectory_is_told_as_atif(solved):
    agent, folder, _, _ = solved
    shown = lab.denominator(folder, "show", "page-count", "--run", "solved", "--trajectory", "--json")
    (told,) = json.loads(shown.stdout)["trajectories"]
    document = told["atif"]
    assert (document["agent"]["name"], document["agent"]["version"]) == (agent, AGENTS[agent][0])
    assert "page_count" in str([step for step in document["steps"] if step["source"] == "user"])
    assert any(step["source"] == "agent" for step in document["steps"])


def test_the_version_is_what_its_program_said(solved):
    agent, folder, _, _ = solved
    seal = json.loads((folder / "runs" / "solved" / "seal.json").read_text("utf-8"))
    assert seal["agent_reported"] == seal["arm"]["agent_version"] == AGENTS[agent][0]
    assert seal["arm"]["command"][0].startswith("/opt/agent/")


def test_another_version_is_refused_before_anything_is_sealed(solved):
    agent, folder, _, server = solved
    terms = {"wall_s": 400, "tokens": 200_000, "max_output": 4096, "model": "scripted-1"}
    text = lab.ENVELOPE.format(**terms, **_terms(agent, server.url) | {"version": "9.9.9"})
    (folder / "other.toml").write_text(text, "utf-8")
    done = lab.denominator(folder, "run", "other.toml", "--run-id", "other", check=False)
    assert done.returncode == 2
    assert f"its program in the sandbox says {AGENTS[agent][0]}" in " ".join(done.stderr.split())
    assert not (folder / "runs" / "other").exists()


def test_the_key_is_nowhere(solved):
    _, folder, _, server = solved
    assert {seen["Authorization"] for seen in server.headers} == {f"Bearer {lab.KEY}"}
    assert lab.holds_key(folder) == []


@pytest.mark.parametrize("agent", AGENTS)
def test_noise_of_a_real_server_is_the_models_own_failure(agent, tmp_path):
    lab.prepare(tmp_path, ["recurring-dates", "page-count"])
    with llama_cpp(tmp_path) as url:
        lab.run_agent(tmp_path, "noise", **_terms(agent, url, model=TINY, max_output=64))
    for task in ("recurring-dates", "page-count"):
        attempt = lab.attempt_of(tmp_path, "noise", task)
        judged = tuple(lab.label(attempt, axis) for axis in ("outcome", "origin", "failure_class"))
        assert judged == ("abstain", "MODEL", "no_patch"), "noise changes nothing, and that is the model's own doing"
        answered = [call for call in attempt["calls"] if call["outcome"] == "ok"]
        assert answered
        for call in answered:
            assert call["served_model"] == TINY
            assert call["usage"]["prompt"] > 500
            # Neither agent asks for a cap: the sealed one is put into the request.
            assert 0 < call["usage"]["completion"] <= 64
    assert lab.holds_key(tmp_path) == []


def test_a_litellm_proxy_in_between_changes_no_count(tmp_path):
    lab.prepare(tmp_path)
    with (
        lab.scripted(lab.by_words, lab.TASKS, tmp_path / "scratch") as server,
        litellm_proxy(tmp_path, "scripted-1", server.url) as url,
    ):
        lab.run_agent(tmp_path, "between", **_terms("aider", url))
    for task in lab.TASKS:
        attempt = lab.attempt_of(tmp_path, "between", task)
        assert lab.event(attempt, "graded")["grade"] == "green"
        assert {call["served_model"] for call in attempt["calls"]} == {"scripted-1"}
        own = lab.facts(attempt, "own_account")
        assert own["prompt"] == sum(call["usage"]["prompt"] for call in attempt["calls"])
    assert lab.KEY not in str(server.headers)
