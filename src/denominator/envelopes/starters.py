"""`init --agent`: an envelope that is complete but for what only its author can say, and the files beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from denominator.envelopes.template import OPTIONAL, render
from denominator.errors import InputError

AGENTS = ("command", "script", "oracle", "nop")

_HEAD = """\
# Every condition that can move the number, for an agent of the kind "{agent}". {todo}
# The numbers are a usual start, written out so that you see them: change what does not fit. `denominator envelope check`
# lists what is missing. Sealed once, an envelope is never edited: a change is a new run.
schema_version = 1
"""
_PRESET_HEAD = """\
# Every condition that can move the number, for the agent {agent}. What only you can say has a REPLACE.
# Its installation is the folder `agent` beside this file; with DIR=agent it is made by:
#   {install}
# Command and environment come from its preset (docs/agents/{agent}.md); `command` and `[arm.env]` here would change them.
# The numbers are a usual start, written out so that you see them: change what does not fit. `denominator envelope check`
# lists what is missing. Sealed once, an envelope is never edited: a change is a new run.
schema_version = 1
"""
_TODO = "What only you can say has a REPLACE."
_DONE = "It is complete: `denominator run` takes it."

_NUMBERS = {
    "budget.wall_s": "600",
    "budget.working_s": "600",
    "budget.tool_calls": "200",
    "budget.attempts": "1",
    "budget.repeats": "1",
    "policy.retry.rate_limited": "0",
    "policy.retry.server_error": "0",
    "policy.retry.timeout": "0",
    "policy.retry.infra": "0",
    "sandbox.memory_mb": "1024",
    "sandbox.processes": "128",
    "sandbox.disk_mb": "512",
    "sandbox.file_mb": "64",
    "run.concurrency": "2",
    "ceilings.invalid_rate": "0.10",
    "ceilings.infra_rate": "0.10",
}
_OF_MODEL = (
    "snapshot",
    "endpoint",
    "access_class",
    "server_class",
    "temperature",
    "seed",
    "max_output_tokens",
    "key_env",
)
_NO_MODEL: Mapping[str, str | None] = {
    "arm.model.id": '"none"',
    **{f"arm.model.{name}": None for name in _OF_MODEL},
    "[arm.env]": None,
    "arm.env.OPENAI_BASE_URL": None,
    "arm.env.OPENAI_API_KEY": None,
    "budget.tokens": None,
    "sandbox.network": '"none"',
    "run.warmup_tasks": "0",
    "run.seeds": None,
}
_MODEL: Mapping[str, str | None] = {
    "arm.env.OPENAI_BASE_URL": '"{model_url}"',
    "arm.env.OPENAI_API_KEY": '"{model_token}"',
    "budget.tokens": "200000",
    "sandbox.network": '"gateway"',
}
_PRESET: Mapping[str, str | None] = {
    **_MODEL,
    "[arm.env]": None,
    "arm.env.OPENAI_BASE_URL": None,
    "arm.env.OPENAI_API_KEY": None,
    "arm.command": None,
    "arm.mounts": '["agent=/opt/agent"]',
    "arm.script": None,
    "sandbox.memory_mb": "2048",
}
_COMMAND: Mapping[str, str | None] = {
    "arm.label": '"mine"',
    "arm.agent": '"command"',
    "arm.command": '["sh", "/opt/agent/agent.sh", "{prompt_file}"]',
    "arm.mounts": '["agent=/opt/agent"]',
    "arm.script": None,
}

_AGENT_SH = """\
#!/bin/sh
# A stand-in for your agent; put its call at the end. It runs in the sandbox: the task's repository is the working
# directory, $1 is the file with the task, this folder is /opt/agent. What it changes in the working directory is its
# patch. To ask instead of guessing it writes the question to $DENOMINATOR_ASK; to decline, the reason to
# $DENOMINATOR_ABSTAIN. What it prints is kept: `denominator show TASK`.
set -eu
head -n 3 "$1"
echo "this stand-in changes nothing"
"""
_SCRIPT_TOML = """\
# What agent "script" does, task by task; a task that is not named is left alone. A step is exactly one of run, write
# (with content), patch, ask, abstain, sleep_s.
schema_version = 1

[[task]]
id = "page-count"

[[task.step]]
run = "cat README.md"
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PresetStart:
    """What a starter says of a real agent: its name, the version that its preset was written against, how to install it."""

    agent: str
    version: str
    install: str


def starter(agent: str, *, model: bool = False, presets: Mapping[str, PresetStart] | None = None) -> str:
    """The text of an envelope for this kind of agent; with `model` one that calls a model through the relay.

    An agent of `presets` always calls a model.
    """
    if preset := (presets or {}).get(agent):
        return _for_preset(preset)
    _known(agent, model, (*AGENTS, *(presets or ())))
    own: Mapping[str, str | None] = _COMMAND if agent == "command" else _fixture(agent)
    head = _HEAD.format(agent=agent, todo=_TODO if agent == "command" else _DONE)
    return render(head, {**_NUMBERS, **(_MODEL if model else _NO_MODEL), **own}) + OPTIONAL


def starter_files(agent: str) -> dict[str, str]:
    """What stands beside the envelope, by path: a stand-in to replace."""
    return {"command": {"agent/agent.sh": _AGENT_SH}, "script": {"script.toml": _SCRIPT_TOML}}.get(agent, {})


def _for_preset(preset: PresetStart) -> str:
    head = _PRESET_HEAD.format(agent=preset.agent, install=preset.install)
    named = {"arm.label": preset.agent, "arm.agent": preset.agent, "arm.agent_version": preset.version}
    return render(head, {**_NUMBERS, **_PRESET, **{path: f'"{word}"' for path, word in named.items()}}) + OPTIONAL


def _known(agent: str, model: bool, known: tuple[str, ...]) -> None:
    if agent not in AGENTS:
        raise InputError(f"no starter for agent {agent!r}", where="--agent", fix="one of: " + ", ".join(known))
    if model and agent != "command":
        raise InputError(f"agent {agent!r} calls no model", where="--model", fix='leave it out, or use "command"')


def _fixture(agent: str) -> dict[str, str | None]:
    """An agent of ours: it measures the harness and the pack, so its words are known."""
    return {
        "question": f'"Does the harness measure agent {agent} on this pack as it must?"',
        "arm.label": f'"{agent}"',
        "arm.agent": f'"{agent}"',
        "arm.agent_version": '"1"',
        "arm.command": None,
        "arm.mounts": None,
        "arm.script": '"script.toml"' if agent == "script" else None,
        "policy.on_timeout": '"fail"',
        "cite.sentence": f'"The harness ran agent {agent}; the number says nothing about any model."',
        "cite.rule": '"never: it shows the harness and the pack"',
        "provenance.operator": '"the author of the pack"',
        "provenance.purpose": '"check of a pack"',
    }
