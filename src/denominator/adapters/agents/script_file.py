"""Script files: `[[task]]` with an id and `[[task.step]]`s, each exactly one action (docs/formats/agent.md)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import PurePosixPath
from typing import Any

from denominator.errors import InputError, Problem
from denominator.records.envelopes import DecimalText
from denominator.wire.toml import read_toml

ACTIONS = ("run", "write", "patch", "ask", "abstain", "sleep_s")
SLEEP_MAX_S = 3600
TIMES_MAX = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptStep:
    """One action: a shell command, a file with its content, a diff, a question, an abstention, or a pause.

    It is done `times` times in a row, each time a tool call of its own.
    """

    run: str = ""
    write: str = ""
    content: str = ""
    patch: str = ""
    ask: str = ""
    abstain: str = ""
    sleep_s: DecimalText = ""
    times: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptTask:
    """What is done for one task, in order."""

    id: str
    step: tuple[ScriptStep, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptFile:
    """A whole script file."""

    schema_version: int = 1
    task: tuple[ScriptTask, ...] = ()


def read_script(text: str, where: str) -> ScriptFile:
    """Reads and checks a script file; every mistake, of form and of meaning, is in one `InputError`."""
    problems: list[Problem] = []
    script: ScriptFile | None = None
    try:
        script = read_toml(ScriptFile, text, where)
    except InputError as error:
        problems += error.problems
        if not error.problems:
            raise
    problems += _meaning(text, where)
    if problems or script is None:
        raise InputError(
            "the script file cannot be used",
            where=where,
            fix="see docs/formats/agent.md, section script",
            problems=problems,
        )
    return script


def _meaning(text: str, where: str) -> Iterator[Problem]:
    """What the form alone cannot say; whatever has the wrong form is passed over, the form's own check names it."""
    try:
        document = tomllib.loads(text, parse_float=Decimal)
    except (tomllib.TOMLDecodeError, RecursionError):
        return
    seen: set[str] = set()
    for number, task in enumerate(_tables(document.get("task")), start=1):
        name = task.get("id")
        if isinstance(name, str):
            if name in seen:
                yield Problem(f"{where}: task[{number}].id", f"task {name!r} is scripted twice", "join their steps")
            seen.add(name)
        for at, step in enumerate(_tables(task.get("step")), start=1):
            yield from _step(step, f"{where}: task[{number}].step[{at}]")


def _step(step: Mapping[str, Any], where: str) -> Iterator[Problem]:
    given = [action for action in ACTIONS if step.get(action) not in (None, "")]
    if len(given) != 1:
        found = " and ".join(given) or "none"
        yield Problem(where, f"a step holds exactly one action, here: {found}", f"one of {', '.join(ACTIONS)}")
    if "content" in step and "write" not in step:
        yield Problem(f"{where}.content", "content belongs to a write", "add write = PATH")
    if "write" in step and "content" not in step:
        yield Problem(f"{where}.write", "a write needs its content", 'add content = """..."""')
    path = step.get("write")
    if isinstance(path, str) and path and not _is_inside(path):
        yield Problem(f"{where}.write", f"{path!r} is not a path inside the repository", "make it relative, without ..")
    times = step.get("times", 1)
    if isinstance(times, int) and not isinstance(times, bool) and not 1 <= times <= TIMES_MAX:
        yield Problem(f"{where}.times", f"{times} is out of range", f"1 to {TIMES_MAX}")
    seconds = step.get("sleep_s")
    if isinstance(seconds, int | Decimal) and not _is_pause(seconds):
        yield Problem(f"{where}.sleep_s", f"{seconds} is out of range", f"0 to {SLEEP_MAX_S} seconds")


def _is_inside(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return "\0" not in path and not path.startswith("/") and ".." not in parts and bool(parts)


def _is_pause(seconds: int | Decimal) -> bool:
    return Decimal(seconds).is_finite() and 0 <= seconds <= SLEEP_MAX_S


def _tables(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
