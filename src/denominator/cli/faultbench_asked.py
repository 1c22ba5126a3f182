"""The options of `faultbench run` as a plan and a subject."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from denominator.errors import InputError, Problem

if TYPE_CHECKING:
    from denominator.faultbench import BenchEnd, ReadCommand
    from denominator.ports import Stop
    from denominator.records.faults import Bench, FaultPlan

OF_COMMANDS = (
    "resume_command",
    "verify_command",
    "workspace",
    "tools",
    "artifact",
    "journal",
    "checkpoints",
    "no_sandbox",
)
NAMES = {"checkpoints": "--checkpoint", "tasks": "--task"}


def bench_of(
    out: str, given: Mapping[str, Any], environ: Mapping[str, str], stop: Stop, say: Callable[[str], None]
) -> tuple[Bench, BenchEnd]:
    """Bench what was named under the plan that was asked for."""
    from denominator.faultbench import Wanted, bench_command, bench_ours
    from denominator.packs import find_pack
    from denominator.records.faults import LIMIT_S

    command = _command(given)
    if command is not None:
        declared = tuple(command.terms.checkpoint)
        return bench_command(command, Path(out), _plan(given, environ, declared), stop, say)
    plan = _plan(given, environ, None)
    pack = find_pack(given["pack_name"] or "holdout16")
    limit = given["trial_limit"] or LIMIT_S
    wanted = Wanted(pack=pack, tasks=tuple(given["tasks"]), out=Path(out), plan=plan, limit_s=limit)
    return bench_ours(wanted, stop, say)


def _plan(given: Mapping[str, Any], environ: Mapping[str, str], declared: tuple[str, ...] | None) -> FaultPlan:
    """The plan; a command that declares few checkpoints has a default plan of those."""
    from denominator.faultbench import Asked, default_faults, read_plan

    asked = Asked(
        faults=tuple(given["faults"]),
        file=given["plan_file"],
        repeats=given["repeats"],
        seed=given["seed"],
        quick=given["quick"],
    )
    if declared is None:
        return read_plan(asked, environ)
    return read_plan(asked, environ, [text for text in default_faults() if text.partition(":")[0] in declared])


def _command(given: Mapping[str, Any]) -> ReadCommand | None:
    """The foreign command, from its file or from options; None for our own runner."""
    from denominator.faultbench import WALL_S, CommandTerms, checked, read_command

    _refuse_mixed(given)
    if given["subject"] is not None:
        read = read_command(given["subject"])
        limit = given["trial_limit"] or read.terms.wall_s
        return replace(read, terms=replace(read.terms, wall_s=limit), sandboxed=not given["no_sandbox"])
    if given["command"] is None:
        return None
    artifact, _, line = str(given["artifact"] or "").partition("=")
    terms = CommandTerms(
        name="command",
        command=given["command"],
        resume_command=given["resume_command"] or "",
        verify_command=given["verify_command"] or "",
        artifact=artifact,
        artifact_line=line,
        checkpoint=_checkpoints(given["checkpoints"]),
        task=tuple(given["tasks"]) or ("task",),
        workspace=given["workspace"] or "",
        tools=given["tools"] or "",
        journal=given["journal"] or "",
        wall_s=given["trial_limit"] or WALL_S,
    )
    return checked(terms, Path.cwd(), "--command", sandboxed=not given["no_sandbox"])


def _checkpoints(texts: tuple[str, ...]) -> dict[str, str]:
    wrong = [Problem("--checkpoint", f"{text!r} is not NAME=HOW") for text in texts if "=" not in text]
    if wrong:
        raise InputError("checkpoints cannot be read", problems=wrong, fix="--checkpoint patch_applied=file:done.txt")
    return {name: how for name, _, how in (text.partition("=") for text in texts)}


def _refuse_mixed(given: Mapping[str, Any]) -> None:
    """Options that go with another subject than the one that was named, all in one error."""
    said = [name for name in OF_COMMANDS if given[name]]
    problems = []
    if given["command"] is None and given["subject"] is None:
        problems = [Problem(_option(name), "belongs to a command: add --command or --subject") for name in said]
    elif given["pack_name"] is not None:
        problems = [Problem("--pack", "belongs to our own runner")]
    if given["subject"] is not None:
        more = [*(["command"] if given["command"] is not None else []), *(n for n in said if n != "no_sandbox")]
        more += ["tasks"] if given["tasks"] else []
        problems += [Problem(_option(name), "is in the subject file") for name in more]
    if problems:
        raise InputError("these options do not go together", problems=problems, fix="denominator faultbench run --help")


def _option(name: str) -> str:
    return NAMES.get(name, f"--{name.replace('_', '-')}")
