"""A real third-party agent, mini-swe-agent, solves tasks of holdout16: in the sandbox, network off, through the relay.

Its command line stands in the envelope (`agent = "command"`); what presets do is in test_real_agents.
"""

from __future__ import annotations

import json
import shutil

import pytest

from e2e import agents_lab as lab
from e2e.environment import environment

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]

ARM = """
[[arm]]
label = "mini"
agent = "command"
agent_version = "2.4.6"
command = ["/opt/agent/bin/python", "-m", "minisweagent.run.mini", "-m", "openai/{{model}}", "-t", "{{prompt}}", "-y",
  "--exit-immediately", "-o", "{{outdir}}/trajectory.json"]
mounts = ["{agent}=/opt/agent"]
[arm.env]
MSWEA_GLOBAL_CONFIG_DIR = "/tmp/mini"
MSWEA_CONFIGURED = "true"
MSWEA_SILENT_STARTUP = "1"
MSWEA_COST_TRACKING = "ignore_errors"
LITELLM_LOCAL_MODEL_COST_MAP = "True"
OPENAI_API_KEY = "{{model_token}}"
OPENAI_BASE_URL = "{{model_url}}"
"""


def envelope(mount, url):
    terms = {"wall_s": 400, "tokens": 200_000, "max_output": 4096, "model": "scripted-1", "url": url}
    preset = lab.ENVELOPE.format(agent="mini", version="2.4.6", mount=mount, **terms)
    before, _, after = preset.partition("[[arm]]")
    return before + ARM.format(agent=mount).lstrip() + "[arm.model]" + after.partition("[arm.model]")[2]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """One run of the agent over the pack: (its folder, what the command printed, requests the model saw)."""
    folder = tmp_path_factory.mktemp("mini")
    lab.prepare(folder)
    with lab.scripted(lab.by_commands, lab.TASKS, folder / "scratch") as server:
        (folder / "envelope.toml").write_text(envelope(environment("mini-swe-agent"), server.url), "utf-8")
        done = lab.denominator(folder, "run", "envelope.toml", "--run-id", "mini", "--json")
        return folder, json.loads(done.stdout), server.requests, server.headers


@pytest.mark.parametrize("task", lab.CHANGED)
def test_it_solves_what_the_model_knows_and_is_graded_green(run, task):
    attempt = lab.attempt_of(run[0], "mini", task)
    assert lab.event(attempt, "agent.ended")["exit"] == 0
    assert lab.event(attempt, "patch")["touched"] == [lab.CHANGED[task]]
    graded = lab.event(attempt, "graded")
    assert graded["grade"] == "green"
    assert sorted(graded["passed"]) == sorted(graded["expected"])
    assert lab.event(attempt, "closed")["stop_reason"] == "pass"


def test_what_is_right_already_is_left_alone(run):
    attempt = lab.attempt_of(run[0], "mini", "csv-fields")
    assert lab.event(attempt, "patch")["touched"] == []
    assert lab.event(attempt, "graded")["grade"] == "green"


def test_the_card_counts_them(run):
    (printed,) = run[1]["runs"]
    assert (printed["exit"], printed["card"]["verdict"]["status"]) == (0, "publishable")
    states = {control["name"]: control["state"] for control in printed["card"]["controls"]}
    assert states["noop_must_stay_green"] == states["floor"] == "held"


@pytest.mark.parametrize("task", lab.TASKS)
def test_every_call_went_through_the_relay_and_is_accounted_for(run, task):
    attempt = lab.attempt_of(run[0], "mini", task)
    calls = attempt["calls"]
    assert [call["seq"] for call in calls] == list(range(1, 1 + (4 if task in lab.CHANGED else 2)))
    for call in calls:
        assert (call["outcome"], call["status"], call["finish"]) == ("ok", 200, "tool_calls")
        assert (call["asked_model"], call["served_model"], call["usage_convention"]) == (
            "scripted-1",
            "scripted-1",
            "openai_chat",
        )
        said = json.loads(call["usage_raw"])
        assert (call["usage"]["prompt"], call["usage"]["completion"]) == (
            said["prompt_tokens"],
            said["completion_tokens"],
        )


def test_the_model_saw_the_key_and_nobody_else_did(run):
    folder, _, requests, headers = run
    assert len(requests) == 10
    assert {seen["Authorization"] for seen in headers} == {f"Bearer {lab.KEY}"}
    assert lab.holds_key(folder) == []
