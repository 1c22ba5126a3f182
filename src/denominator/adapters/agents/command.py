"""Any agent with a command line: command, environment and mounts are templates of the arm (docs/formats/agent.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from denominator._version import __version__
from denominator.adapters.agents.contract import Setup, base_env
from denominator.adapters.agents.mounts import read_mount
from denominator.adapters.agents.placeholders import NAMES, fill, used, values_of
from denominator.errors import InputError, Problem
from denominator.ports import AgentPlan, AgentTask, Mount
from denominator.records.envelopes import Arm
from denominator.records.values import NotMeasured

# Linux takes 128 KiB as one argument or variable at most.
ARGUMENT_BYTES_MAX = 128 * 1024 - 1
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_REFERENCE = re.compile(r"\$\{[A-Za-z_][A-Za-z0-9_]*\}|^\$[A-Za-z_][A-Za-z0-9_]*$")
_KEY = re.compile(r"\b(?:sk|pk|rk|ghp|gho|xoxb|xoxp|hf|AIza)[-_]?[A-Za-z0-9_-]{20,}")
_KEY_FIX = "name the key's variable in model.key_env; the agent gets {model_token} instead"


class Command:
    """Fills the templates. Every mistake of an arm is reported at once."""

    name = "command"
    needs_gold = False

    def __init__(self, setup: Setup | None = None) -> None:
        self.setup = setup or Setup()

    def plan(self, task: AgentTask) -> AgentPlan:
        """The arm's command for one task."""
        arm = task.arm
        values = values_of(task, self.setup.python)
        found = [*problems(arm), *_unfilled(arm, values)]
        if found:
            raise _refusal(found)
        known = {name: value for name, value in values.items() if isinstance(value, str)}
        argv = tuple(fill(part, known) for part in arm.command)
        env = {name: fill(value, known) for name, value in arm.env.items()}
        too_long = list(_too_long(argv, env))
        if too_long:
            raise _refusal(too_long)
        return AgentPlan(
            argv=argv,
            env={**base_env(task), **env},
            mounts=tuple(mount for mount in map(read_mount, arm.mounts) if isinstance(mount, Mount)),
            # A program may read $DENOMINATOR_MODEL_URL itself; which ones do, no template tells.
            needs_model=True,
        )

    def version(self) -> str:
        """Of this adapter; the program's own version is what the arm declares."""
        return __version__


def problems(arm: Arm) -> list[Problem]:
    """Everything that is wrong with an arm of agent `command`, whatever the task."""
    found = (
        []
        if arm.command and arm.command[0]
        else [Problem("command", "is empty", 'such as ["my-agent", "{prompt_file}"]')]
    )
    for where, text in _templates(arm):
        found += [_unknown(where, name) for name in used(text) if name not in NAMES]
        if "\0" in text:
            found.append(Problem(where, "holds a NUL character"))
    for name, value in arm.env.items():
        found += _variable(name, value)
    found += [mount for mount in map(read_mount, arm.mounts) if isinstance(mount, Problem)]
    return found


def _templates(arm: Arm) -> Iterator[tuple[str, str]]:
    yield from ((f"command[{number}]", part) for number, part in enumerate(arm.command, start=1))
    yield from ((f"env.{name}", value) for name, value in arm.env.items())


def _unknown(where: str, name: str) -> Problem:
    known = ", ".join(sorted(NAMES))
    return Problem(
        where, f"unknown placeholder {{{name}}}", f"one of {known}; for the text itself write {{{{{name}}}}}"
    )


def _variable(name: str, value: str) -> Iterator[Problem]:
    where = f"env.{name}"
    if not _NAME.fullmatch(name):
        yield Problem(where, "is not a name of a variable")
    if name.startswith("DENOMINATOR_"):
        yield Problem(where, "variables that begin with DENOMINATOR_ are set by the harness", "choose another name")
    if _REFERENCE.search(value):
        yield Problem(where, "variables of the harness do not reach the sandbox", _KEY_FIX)
    # The value itself is not repeated: an error text is no place for a key.
    if _KEY.search(value):
        yield Problem(where, "looks like a key; the envelope is sealed and published", _KEY_FIX)


def _unfilled(arm: Arm, values: dict[str, str | NotMeasured]) -> Iterator[Problem]:
    for where, text in _templates(arm):
        for name in used(text):
            value = values.get(name)
            if isinstance(value, NotMeasured):
                yield Problem(where, f"{{{name}}} has no value: {value.not_measured}")


def _too_long(argv: tuple[str, ...], env: dict[str, str]) -> Iterator[Problem]:
    parts = [(f"command[{number}]", part) for number, part in enumerate(argv, start=1)]
    parts += [(f"env.{name}", f"{name}={value}") for name, value in env.items()]
    for where, text in parts:
        if len(text.encode("utf-8", "surrogateescape")) > ARGUMENT_BYTES_MAX or "\0" in text:
            yield Problem(where, "is too long for one argument, or holds NUL, once filled", "use {prompt_file}")


def _refusal(found: list[Problem]) -> InputError:
    return InputError(
        "the arm cannot be run by agent `command`", where="arm", fix="see docs/formats/agent.md", problems=found
    )
