"""Real agents on tasks of holdout16: a part of the pack, an envelope for a preset, one run, and what it left."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zlib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from denominator.testing.scripted_server import Say, ScriptedServer
from denominator.wire.trees import apply_unified

KEY_ENV = "E2E_PROVIDER_KEY"
KEY = "sk-canary-e2e-0123456789"
# One to solve, the floor, and one in which leaving everything alone is right.
TASKS = ("recurring-dates", "page-count", "csv-fields")
CHANGED = {"recurring-dates": "rota/recur.py", "page-count": "pager/pages.py"}
DONE = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"

ENVELOPE = """
schema_version = 1
question = "does a third-party agent run from its preset to a graded patch?"
pack = "pack"
[[arm]]
label = "{agent}"
agent = "{agent}"
agent_version = "{version}"
mounts = ["{mount}=/opt/agent"]
[arm.model]
id = "{model}"
snapshot = "{model}-2026-11-30"
endpoint = "{url}"
key_env = "E2E_PROVIDER_KEY"
access_class = "self_hosted"
server_class = "local"
temperature = 0.0
seed = "none"
max_output_tokens = {max_output}
[budget]
wall_s = {wall_s}
working_s = {wall_s}
tokens = {tokens}
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
sentence = "the agent runs end to end"
rule = "never: the model is a script or noise"
[provenance]
operator = "a test"
purpose = "smoke test"
"""


def holdout() -> Path:
    """The shipped pack."""
    return Path(str(files("denominator"))) / "data" / "packs" / "holdout16"


def make_pack(folder: Path, tasks: Sequence[str]) -> None:
    """Some tasks of holdout16, unchanged, as a pack of their own."""
    folder.mkdir()
    text = (holdout() / "pack.toml").read_text("utf-8").replace('id = "holdout16"', 'id = "holdout16-part"')
    text = text.replace("controls_min = 4", "controls_min = 0").replace("multi_file_min = 4", "multi_file_min = 0")
    (folder / "pack.toml").write_text(text, "utf-8")
    for task in tasks:
        shutil.copytree(holdout() / "tasks" / task, folder / "tasks" / task)


def prompt_of(task: str) -> str:
    """What the task asks."""
    return (holdout() / "tasks" / task / "prompt.md").read_text("utf-8").strip()


def golden(task: str, scratch: Path) -> str:
    """The changed file of a task as gold has it."""
    place = scratch / task
    if not place.exists():
        shutil.copytree(holdout() / "tasks" / task / "repo", place)
        apply_unified(place, (holdout() / "tasks" / task / "gold.patch").read_bytes())
    return (place / CHANGED[task]).read_text("utf-8")


def by_commands(task: str, scratch: Path) -> list[str | Say]:
    """The model of an agent with a shell: it looks, writes the file as gold has it, runs the visible tests, submits."""
    look = "ls -R && cat README.md"
    if task not in CHANGED:
        return [look, DONE]
    write = f"cat > {CHANGED[task]} <<'END_OF_FILE'\n{golden(task, scratch)}END_OF_FILE"
    return [look, write, "python3 -m unittest -q", DONE]


def by_words(task: str, scratch: Path) -> list[str | Say]:
    """The model of aider: the whole file in its answer, however often it is asked."""
    if task not in CHANGED:
        return [Say("Nothing has to be changed here.")] * 20
    return [Say(f"Here it is.\n\n{CHANGED[task]}\n```\n{golden(task, scratch)}```\n")] * 20


def scripted(solve: Any, tasks: Sequence[str], scratch: Path) -> ScriptedServer:
    """A model that knows the prompts of these tasks."""
    scripts = {json.dumps(prompt_of(task))[1:-1]: solve(task, scratch) for task in tasks}

    def choose(request: Mapping[str, Any]) -> Sequence[str | Say]:
        asked = json.dumps(request["messages"])
        return next(steps for prompt, steps in scripts.items() if prompt in asked)

    return ScriptedServer(choose)


def denominator(folder: Path, *argv: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    """One command in this folder, with the provider's key in the harness's environment."""
    env = {**os.environ, KEY_ENV: KEY, "NO_COLOR": "1", "XDG_CACHE_HOME": str(folder / "cache")}
    command = [sys.executable, "-m", "denominator", *argv]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=900, check=False)
    assert not check or done.returncode in (0, 1), done.stdout + done.stderr
    return done


def prepare(folder: Path, tasks: Sequence[str] = TASKS) -> None:
    """A locked pack in a folder that the sandbox's uid can reach."""
    for parent in (folder, *folder.parents[:2]):
        parent.chmod(parent.stat().st_mode | 0o011)
    make_pack(folder / "pack", tasks)
    (folder / "scratch").mkdir()
    denominator(folder, "pack", "lock", "pack")


def run_agent(folder: Path, run_id: str, **terms: Any) -> dict[str, Any]:
    """One run of a preset; what the command printed."""
    told = {"wall_s": 400, "tokens": 200_000, "max_output": 4096, "model": "scripted-1", **terms}
    (folder / f"{run_id}.toml").write_text(ENVELOPE.format(**told), "utf-8")
    done = denominator(folder, "run", f"{run_id}.toml", "--run-id", run_id, "--json")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def attempt_of(folder: Path, run_id: str, task: str) -> dict[str, Any]:
    """Everything known about the one attempt at a task."""
    shown = denominator(folder, "show", task, "--run", run_id, "--json")
    (attempt,) = json.loads(shown.stdout)["attempts"]
    found: dict[str, Any] = attempt
    return found


def event(attempt: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """The payload of the attempt's event of this kind."""
    found: dict[str, Any] = next(one["payload"] for one in attempt["events"] if one["kind"] == kind)
    return found


def facts(attempt: Mapping[str, Any], reader: str) -> dict[str, Any]:
    """What one reader said about the attempt."""
    payloads = (one["payload"] for one in attempt["events"] if one["kind"] == "facts")
    found: dict[str, Any] = next(payload["data"] for payload in payloads if payload["reader"] == reader)
    return found


def label(attempt: Mapping[str, Any], axis: str) -> str:
    """The attempt's label on an axis."""
    return str(next(one["value"] for one in attempt["labels"] if one["axis"] == axis))


def holds_key(folder: Path) -> list[Path]:
    """Files in which the provider's key stands, blobs decompressed."""
    return [path for path in folder.rglob("*") if path.is_file() and KEY.encode() in _plain(path.read_bytes())]


def _plain(data: bytes) -> bytes:
    try:
        return data + zlib.decompress(data)
    except zlib.error:
        return data
