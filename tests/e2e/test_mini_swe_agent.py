"""A real third-party agent, mini-swe-agent, solves tasks of holdout16: in the sandbox, network off, through the relay."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zlib
from importlib.resources import files
from pathlib import Path

import pytest

from denominator.testing.scripted_server import ScriptedServer
from denominator.wire.trees import apply_unified
from e2e.environment import environment

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]

# One to solve, the floor, and one in which leaving everything alone is right.
TASKS = ("recurring-dates", "page-count", "csv-fields")
KEY = "sk-canary-e2e-0123456789"
DONE = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
CHANGED = {"recurring-dates": "rota/recur.py", "page-count": "pager/pages.py"}

ENVELOPE = """
schema_version = 1
question = "does a third-party agent run from its command line to a graded patch?"
pack = "pack"
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
[arm.model]
id = "scripted-1"
snapshot = "scripted-1-2026-11-29"
endpoint = "{url}"
key_env = "E2E_PROVIDER_KEY"
access_class = "self_hosted"
server_class = "local"
temperature = 0.0
seed = "none"
max_output_tokens = 4096
[budget]
wall_s = 400
working_s = 400
tokens = 200000
tool_calls = 60
attempts = 1
repeats = 1
[policy]
on_timeout = "fail"
[policy.retry]
rate_limited = 0
server_error = 0
timeout = 0
infra = 0
[sandbox]
backend = "bubblewrap"
network = "gateway"
memory_mb = 2048
processes = 128
disk_mb = 512
file_mb = 64
[run]
concurrency = 2
baseline_repeats = 3
warmup_tasks = 0
seeds = [1]
[ceilings]
invalid_rate = 0.10
infra_rate = 0.10
[metric]
headline = "headline_pass_rate"
scorer = "tests"
[cite]
sentence = "mini-swe-agent runs end to end"
rule = "never: the model is a script"
[provenance]
operator = "a test"
purpose = "smoke test"
"""


def _tasks() -> Path:
    return Path(str(files("denominator"))) / "data" / "packs" / "holdout16"


def _make_pack(folder: Path) -> None:
    """Three tasks of holdout16, unchanged, as a pack of their own."""
    folder.mkdir()
    text = (_tasks() / "pack.toml").read_text("utf-8").replace('id = "holdout16"', 'id = "holdout16-part"')
    text = text.replace("controls_min = 4", "controls_min = 0").replace("multi_file_min = 4", "multi_file_min = 0")
    (folder / "pack.toml").write_text(text, "utf-8")
    for task in TASKS:
        shutil.copytree(_tasks() / "tasks" / task, folder / "tasks" / task)


def _solution(task: str, scratch: Path) -> list[str]:
    """What the scripted model types: it looks, writes the file as gold has it, runs the visible tests, and submits."""
    look = ["ls -R && cat README.md"]
    if task not in CHANGED:
        return [*look, DONE]
    shutil.copytree(_tasks() / "tasks" / task / "repo", scratch / task)
    apply_unified(scratch / task, (_tasks() / "tasks" / task / "gold.patch").read_bytes())
    content = (scratch / task / CHANGED[task]).read_text("utf-8")
    write = f"cat > {CHANGED[task]} <<'END_OF_FILE'\n{content}END_OF_FILE"
    return [*look, write, "python3 -m unittest -q", DONE]


def _model(scratch: Path) -> ScriptedServer:
    scripts = {(_tasks() / "tasks" / t / "prompt.md").read_text("utf-8").strip(): _solution(t, scratch) for t in TASKS}

    def choose(request):
        asked = next(m["content"] for m in request["messages"] if m["role"] == "user")
        return next(commands for prompt, commands in scripts.items() if prompt in str(asked))

    return ScriptedServer(choose)


def _denominator(folder: Path, *argv: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "E2E_PROVIDER_KEY": KEY, "NO_COLOR": "1", "XDG_CACHE_HOME": str(folder / "cache")}
    command = [sys.executable, "-m", "denominator", *argv]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=900, check=False)
    assert not check or done.returncode in (0, 1), done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """One run of the agent over the pack: (folder of the run, what the command printed, requests the model saw)."""
    agent = environment("mini-swe-agent")
    folder = tmp_path_factory.mktemp("mini")
    for parent in (folder, *folder.parents[:2]):
        parent.chmod(parent.stat().st_mode | 0o011)
    _make_pack(folder / "pack")
    (folder / "scratch").mkdir()
    with _model(folder / "scratch") as server:
        (folder / "envelope.toml").write_text(ENVELOPE.format(agent=agent, url=server.url), "utf-8")
        _denominator(folder, "pack", "lock", "pack")
        done = _denominator(folder, "run", "envelope.toml", "--run-id", "mini", "--json")
        return folder / "runs" / "mini", json.loads(done.stdout), server.requests, server.headers


def _attempt(folder: Path, task: str) -> dict:
    """Everything known about the one attempt at a task."""
    shown = _denominator(folder.parents[1], "show", task, "--run", "mini", "--json")
    (attempt,) = json.loads(shown.stdout)["attempts"]
    return attempt


def _event(attempt: dict, kind: str) -> dict:
    return next(event["payload"] for event in attempt["events"] if event["kind"] == kind)


@pytest.mark.parametrize("task", CHANGED)
def test_it_solves_what_the_model_knows_and_is_graded_green(run, task):
    attempt = _attempt(run[0], task)
    assert _event(attempt, "agent.ended")["exit"] == 0
    assert _event(attempt, "patch")["touched"] == [CHANGED[task]]
    graded = _event(attempt, "graded")
    assert graded["grade"] == "green"
    assert sorted(graded["passed"]) == sorted(graded["expected"])
    assert _event(attempt, "closed")["stop_reason"] == "pass"


def test_what_is_right_already_is_left_alone(run):
    attempt = _attempt(run[0], "csv-fields")
    assert _event(attempt, "patch")["touched"] == []
    assert _event(attempt, "graded")["grade"] == "green"


def test_the_card_counts_them(run):
    (printed,) = run[1]["runs"]
    assert (printed["exit"], printed["card"]["verdict"]["status"]) == (0, "publishable")
    states = {control["name"]: control["state"] for control in printed["card"]["controls"]}
    assert states["noop_must_stay_green"] == states["floor"] == "held"


@pytest.mark.parametrize("task", TASKS)
def test_every_call_went_through_the_relay_and_is_accounted_for(run, task):
    attempt = _attempt(run[0], task)
    calls = attempt["calls"]
    assert [call["seq"] for call in calls] == list(range(1, 1 + (4 if task in CHANGED else 2)))
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
    assert {seen["Authorization"] for seen in headers} == {f"Bearer {KEY}"}
    for path in folder.parents[1].rglob("*"):
        if path.is_file():
            assert KEY.encode() not in _plain(path.read_bytes()), path


def _plain(data: bytes) -> bytes:
    """Stored bytes and what they decompress to, blobs being compressed."""
    try:
        return data + zlib.decompress(data)
    except zlib.error:
        return data
