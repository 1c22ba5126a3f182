"""From what was asked to a bench of our own runner: its plan, its tasks, its manifest, its trials."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from denominator._version import __version__
from denominator.errors import InputError, MachineError, Problem
from denominator.faultbench.files import BenchFolder
from denominator.faultbench.kinds import COMMAND, OURS
from denominator.faultbench.machine import box, setting_for
from denominator.faultbench.plans import without
from denominator.faultbench.points import failpoint_problem
from denominator.faultbench.running import BenchEnd, carry_out, refuse_wrong, skips
from denominator.faultbench.subjects.command import AnyCommand
from denominator.faultbench.subjects.command_trial import CommandLab
from denominator.faultbench.subjects.effects import why_not
from denominator.faultbench.subjects.lab import Lab
from denominator.faultbench.subjects.ours import Ours
from denominator.faultbench.subjects.terms_command import ReadCommand
from denominator.faultbench.trials import NEGATIVE, SILENT, choose, orders
from denominator.packs import load_pack, require_locked
from denominator.ports import Sandbox, Stop
from denominator.records.envelopes import SandboxTerms
from denominator.records.faults import (
    CHECKPOINTS,
    LIMIT_S,
    Bench,
    BenchControl,
    BenchEndpoint,
    BenchRunner,
    Fault,
    FaultPlan,
    SkippedFault,
)
from denominator.records.packs import FoundPack
from denominator.testing.scripted_server import MODEL
from denominator.wire.canonical import digest
from denominator.wire.trees import EMPTY_TREE, read_tree
from denominator.wiring.world import make_sandbox, require_linux

TERMS = SandboxTerms(backend="bubblewrap", network="none", memory_mb=512, processes=256, disk_mb=64, file_mb=64)
"""The sandbox that foreign commands run in."""
CONTROLS = tuple(str(control) for control in BenchControl)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What to bench our runner with: a pack, some of its tasks (none named: all that can be benched), where to write.

    `limit_s` is how long each process of a trial may take before it is taken for one that hangs.
    """

    pack: Path
    tasks: tuple[str, ...]
    out: Path
    plan: FaultPlan
    limit_s: int = LIMIT_S


def bench_ours(wanted: Wanted, stop: Stop, say: Callable[[str], None]) -> tuple[Bench, BenchEnd]:
    """Bench our own runner. Everything that can be refused is refused before the first trial."""
    require_linux()
    refuse_wrong(wanted.plan, lambda fault: "" if fault.at_checkpoint else failpoint_problem(fault))
    found = load_pack(wanted.pack)
    require_locked(found)
    tasks = choose(tasks_of(found, wanted.tasks), wanted.plan)
    folder = BenchFolder(wanted.out.absolute())
    folder.make()
    with folder.alone():
        setting = setting_for(OURS, wanted.plan)
        sandbox_here(sandboxed=True).close()
        skipped = skips(wanted.plan, setting)
        for each in skipped:
            say(f"skipped: {each.fault.text}: {each.why}")
        bench = manifest(found, tasks, wanted, tuple(SkippedFault(fault=s.fault.text, why=s.why) for s in skipped))
        folder.begin(bench)
        todo = list(orders(without(wanted.plan, (each.fault for each in skipped)), tasks, bench.controls))
        subject = partial(_ours, found, tasks, folder.scratch, wanted.limit_s)
        end = carry_out(folder, bench, todo, subject, stop, say)
    return bench, end


def _ours(found: FoundPack, tasks: tuple[str, ...], scratch: Path, limit_s: int) -> Ours:
    return Ours(Lab.prepare(found, tasks, scratch, limit_s))


def tasks_of(found: FoundPack, named: Sequence[str]) -> tuple[str, ...]:
    """The tasks to bench; every one that was named and cannot be benched is refused with its reason."""
    by_id = {task.id: task for task in found.pack.tasks}
    problems = [
        Problem(name, "no task is called so", f"one of: {', '.join(by_id)}") for name in named if name not in by_id
    ]
    problems += [Problem(name, why) for name in named if name in by_id and (why := why_not(found, by_id[name]))]
    chosen = tuple(dict.fromkeys(named)) or tuple(name for name, task in by_id.items() if not why_not(found, task))
    if not chosen:
        problems = [Problem(name, why_not(found, task)) for name, task in by_id.items()]
    if problems:
        raise InputError("tasks cannot be benched", where=found.root, problems=problems, fix="name others with --task")
    return chosen


def manifest(found: FoundPack, tasks: tuple[str, ...], wanted: Wanted, skipped: tuple[SkippedFault, ...]) -> Bench:
    """What is written before the first trial."""
    lock = require_locked(found)
    command = (Path(sys.executable).name, "-m", "denominator")
    return Bench(
        bench_id=wanted.out.absolute().name,
        pack_id=found.pack.id,
        taskset_digest=digest({"pack": lock.digest, "tasks": list(tasks)}),
        task_ids=tasks,
        runner=BenchRunner(
            name="denominator",
            digest=runner_digest(),
            command=(*command, "run", "envelope.toml"),
            resume=(*command, "resume", "RUN"),
        ),
        box=box(wanted.out),
        plan=wanted.plan,
        endpoint=BenchEndpoint(model_id=MODEL, provider_notes="a scripted model on loopback; no provider is asked"),
        controls=CONTROLS,
        version=__version__,
        skipped=skipped,
        trial_limit_s=wanted.limit_s,
    )


def runner_digest() -> str:
    """The digest of the installed program: every source file of the package, by path."""
    import denominator
    from denominator.packs.digests import file_sha256

    root = Path(next(iter(denominator.__path__)))
    paths = sorted(path for path in root.rglob("*.py") if "__pycache__" not in path.parts)
    return digest({path.relative_to(root).as_posix(): file_sha256(path) for path in paths})


def bench_command(
    read: ReadCommand, out: Path, plan: FaultPlan, stop: Stop, say: Callable[[str], None]
) -> tuple[Bench, BenchEnd]:
    """Bench a foreign command, in the sandbox unless it was said otherwise."""
    require_linux()
    refuse_wrong(plan, lambda fault: _unknown(fault, read))
    folder = BenchFolder(out.absolute())
    folder.make()
    with folder.alone():
        setting = setting_for(COMMAND, plan)
        sandbox = sandbox_here(sandboxed=read.sandboxed)
        skipped = skips(plan, setting)
        for each in skipped:
            say(f"skipped: {each.fault.text}: {each.why}")
        tasks = choose(read.terms.task, plan)
        bench = command_manifest(
            read, tasks, out, plan, tuple(SkippedFault(fault=s.fault.text, why=s.why) for s in skipped)
        )
        folder.begin(bench)
        todo = list(orders(without(plan, (each.fault for each in skipped)), tasks, bench.controls))
        end = carry_out(
            folder,
            bench,
            todo,
            lambda: AnyCommand(CommandLab(read, folder.scratch, folder.journals, sandbox)),
            stop,
            say,
        )
    return bench, end


def sandbox_here(*, sandboxed: bool) -> Sandbox:
    """The sandbox for foreign commands, tried once. MachineError where it does not work: no trial would be one."""
    sandbox = make_sandbox(TERMS, unsandboxed=not sandboxed, hidden=())
    facts = sandbox.facts(TERMS)
    if not facts.usable:
        sandbox.close()
        raise MachineError(f"the sandbox does not work here: {facts.why_not}", fix="denominator doctor")
    return sandbox


def _unknown(fault: Fault, read: ReadCommand) -> str:
    """Why a foreign command cannot be hit there."""
    declared = ", ".join(read.terms.checkpoint)
    if not fault.at_checkpoint:
        return "is a failpoint of our own runner: a foreign command is hit at its checkpoints"
    return "" if fault.at in read.terms.checkpoint else f"the command declares no {fault.at} (declared: {declared})"


def command_manifest(
    read: ReadCommand, tasks: tuple[str, ...], out: Path, plan: FaultPlan, skipped: tuple[SkippedFault, ...]
) -> Bench:
    """What is written before the first trial: the digest is of the terms and of the tools that they show."""
    terms = read.terms
    start = read_tree(read.workspace).digest if read.workspace else EMPTY_TREE
    tools = read_tree(read.tools).digest if read.tools else EMPTY_TREE
    points = tuple(point for point in CHECKPOINTS if point in terms.checkpoint)
    needs = {BenchControl.NEGATIVE: NEGATIVE.at, BenchControl.SILENT: SILENT.at}
    return Bench(
        bench_id=out.absolute().name,
        pack_id=terms.name,
        taskset_digest=digest({"workspace": start, "tasks": list(tasks)}),
        task_ids=tasks,
        runner=BenchRunner(
            name=terms.name,
            digest=digest({"terms": terms, "tools": tools}),
            command=("/bin/sh", "-c", terms.command),
            resume=("/bin/sh", "-c", terms.resume_command or terms.command),
            checkpoints=tuple(str(point) for point in points),
        ),
        box=box(out),
        plan=plan,
        controls=tuple(str(c) for c in BenchControl if c not in needs or needs[c] in points),
        version=__version__,
        skipped=skipped,
        sandboxed=read.sandboxed,
        trial_limit_s=terms.wall_s,
    )
