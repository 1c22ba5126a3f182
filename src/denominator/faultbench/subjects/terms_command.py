"""A foreign command as people describe it: how it starts, how it goes on, what says that it is right, where it can be hit."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from denominator.errors import InputError, Problem
from denominator.records.faults import CHECKPOINTS
from denominator.wire.bounded import read_text
from denominator.wire.names import safe_name
from denominator.wire.toml import read_toml
from denominator.wire.trees import path_problem

HOW = "file:PATH, line:PATH:TEXT, output:TEXT, after:MS or stopped"
WALL_S = 60
"""Seconds for each command line, where nobody says another number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandTerms:
    """A subject file. Texts may hold {task}. Paths of artifact and journal are inside the workspace.

    `checkpoint` maps the name of a checkpoint to how it is seen from outside; `effects` is how many lines of the artifact
    one attempt is to leave (those that contain `artifact_line`, or all). `resume_command` "" is the command again.
    """

    name: str
    command: str
    verify_command: str
    artifact: str
    checkpoint: Mapping[str, str]
    task: tuple[str, ...] = ("task",)
    resume_command: str = ""
    artifact_line: str = ""
    effects: int = 1
    workspace: str = ""
    tools: str = ""
    journal: str = ""
    wall_s: int = WALL_S
    memory_mb: int = 512
    schema_version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadCommand:
    """The terms with the folders that they name found."""

    terms: CommandTerms
    workspace: Path | None = None
    tools: Path | None = None
    sandboxed: bool = True
    texts: Mapping[str, str] = field(default_factory=dict)

    def line(self, which: str, task: str) -> str:
        """A command line for a task: `command`, `resume_command` or `verify_command`."""
        text = str(getattr(self.terms, which)) or self.terms.command
        return text.replace("{task}", shlex.quote(task))


def read_command(path: Path) -> ReadCommand:
    """A subject file, folders beside it. InputError with every mistake."""
    terms = read_toml(CommandTerms, read_text(path, fix="--subject names a TOML file"), str(path))
    return checked(terms, path.parent, str(path))


def checked(terms: CommandTerms, beside: Path, where: str, *, sandboxed: bool = True) -> ReadCommand:
    """The terms, when nothing is wrong with them."""
    problems = list(_wrong(terms, beside))
    if problems:
        raise InputError(
            "this command cannot be benched", where=where, problems=problems, fix="docs/formats/faultbench-run.md"
        )
    return ReadCommand(
        terms=terms,
        workspace=beside / terms.workspace if terms.workspace else None,
        tools=(beside / terms.tools).absolute() if terms.tools else None,
        sandboxed=sandboxed,
    )


def _wrong(terms: CommandTerms, beside: Path) -> Iterator[Problem]:
    for name in ("command", "verify_command"):
        if not str(getattr(terms, name)).strip():
            yield Problem(name, "is empty", "a line for /bin/sh")
    for name in ("workspace", "tools"):
        folder = str(getattr(terms, name))
        if folder and not (beside / folder).is_dir():
            yield Problem(name, f"{folder}: no such folder")
    for name in ("artifact", "journal"):
        path = str(getattr(terms, name))
        if (path or name == "artifact") and path_problem(path.replace("{task}", "t")):
            yield Problem(name, f"{path!r} is no path inside the workspace")
    if not terms.checkpoint:
        yield Problem("checkpoint", "none is declared: there is no point to hit", HOW)
    for point, how in terms.checkpoint.items():
        if point not in CHECKPOINTS:
            yield Problem(f"checkpoint.{point}", "no checkpoint is called so", f"one of: {', '.join(CHECKPOINTS)}")
        yield from _wrong_way(f"checkpoint.{point}", how)
    if (
        len(set(terms.task)) != len(terms.task)
        or not all(t.strip() and safe_name(t) for t in terms.task)
        or not terms.task
    ):
        yield Problem("task", "names are to be there, not empty, and each once")
    for name in ("effects", "wall_s", "memory_mb"):
        if int(getattr(terms, name)) < 1:
            yield Problem(name, "is not at least 1")


def _wrong_way(where: str, how: str) -> Iterator[Problem]:
    word, _, rest = how.partition(":")
    path, _, text = rest.partition(":")
    if word not in ("file", "line", "output", "after", "stopped"):
        yield Problem(where, f"{how!r} is no way to see a checkpoint", HOW)
    elif word in ("file", "line") and (not path or PurePosixPath(path).is_absolute() or ".." in path.split("/")):
        yield Problem(where, f"{path!r} is no path inside the workspace")
    elif (word == "line" and not text) or (word == "output" and not rest):
        yield Problem(where, "names no text", HOW)
    elif word == "after" and not rest.isdigit():
        yield Problem(where, f"{rest!r} is no whole number of milliseconds")
    elif word == "stopped" and rest:
        yield Problem(where, "stopped takes nothing", "the command stops itself (SIGSTOP) at $DENOMINATOR_STOP_AT")
