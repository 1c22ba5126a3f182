"""The agent phase: a fresh workspace from the sealed snapshot, the agent in the sandbox, its patch from trees."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from denominator.pipeline.harvest import Harvest, record_agent
from denominator.pipeline.notes import Notes, StoppedError
from denominator.pipeline.world import OpenRun, World
from denominator.ports import AgentPlan, AgentTask, Ended, Job, Limits, Mount, RelayLease, Stop
from denominator.records.packs import LockedTask, Task
from denominator.records.words import Checkpoint, KilledBy, Phase, StopReason, Writer
from denominator.run.budgets import agent_limits
from denominator.wire.trees import copy_tree, read_tree

OUT_BYTES = 64 << 20

# The launcher gives the repository one commit and says on fd 3 whether the agent's program was found.
LAUNCH = """\
cd /work
if command -v git >/dev/null 2>&1; then
  (git init -q -b main . && git add -A && git commit -q --allow-empty -m base) >/dev/null 2>&1
fi
if command -v "$1" >/dev/null 2>&1; then echo started >&3; else echo missing >&3; exit 127; fi
unset GIT_AUTHOR_DATE GIT_COMMITTER_DATE
exec "$@" 3>&-
"""
GIT_ENV = {
    "GIT_AUTHOR_NAME": "task",
    "GIT_AUTHOR_EMAIL": "task@localhost",
    "GIT_COMMITTER_NAME": "task",
    "GIT_COMMITTER_EMAIL": "task@localhost",
    "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
}


def run_agent(world: World, run: OpenRun, notes: Notes, slot: int, stop: Stop) -> None:
    """Run the agent and store its patch; ends the attempt where there is nothing to grade."""
    task, locked = run.sealed(notes.key.task_id)
    setup_from = world.clock.mono_ns()
    scratch = _scratch(world, run, notes)
    work = _load_context(world, run, notes, scratch, locked, slot)
    if work is None:
        return
    plan = run.agent.plan(_agent_task(run, notes, task))
    notes.intent(Checkpoint.PATCH_DRAFTED, Phase.AGENT, locked.base_tree)
    setup_ms = (world.clock.mono_ns() - setup_from) // 1_000_000
    world.failpoints.hit("agent.before")
    ended, paused_ms, out = _run(world, run, notes, plan, scratch, work, slot, stop)
    world.failpoints.hit("agent.after")
    if ended.killed_by == KilledBy.HARNESS_STOP:
        raise StoppedError
    record_agent(world, run, notes, Harvest(work=work, out=out, ended=ended, setup_ms=setup_ms, paused_ms=paused_ms))


def _scratch(world: World, run: OpenRun, notes: Notes) -> Path:
    """A new empty scratch folder: what a dead incarnation left in its agent phase is worth nothing."""
    folder = run.folder.attempt(notes.key)
    if folder.exists():
        world.sandbox.discard(folder)
    folder.mkdir(parents=True)
    return folder


def _load_context(
    world: World, run: OpenRun, notes: Notes, scratch: Path, locked: LockedTask, slot: int
) -> Path | None:
    """The sealed snapshot in a workspace of its own; None when the pack no longer holds what was sealed."""
    notes.intent(Checkpoint.CONTEXT_LOADED, Phase.SETUP, "", locked.base_tree)
    repo = run.task_folder(locked.id) / "repo"
    found = read_tree(repo, trusted=True)
    if found.digest != locked.base_tree:
        detail = f"repo/ is {found.digest}, sealed was {locked.base_tree}"
        notes.end(StopReason.HARNESS, notes.failure("changed_seal", Phase.SETUP, Writer.HARNESS, detail))
        return None
    disk = _limits(run).disk_bytes
    work = world.sandbox.workspace(scratch / "agent", role="agent", slot=slot, disk_bytes=disk)
    copy_into(repo, work)
    world.sandbox.hand_over(work, role="agent", slot=slot)
    notes.write(notes.done(Checkpoint.CONTEXT_LOADED, Phase.SETUP, found.digest))
    return work


def copy_into(repo: Path, work: Path) -> None:
    """Copy a trusted tree into an existing empty folder."""
    stage = work / ".copy"
    copy_tree(repo, stage)
    for child in stage.iterdir():
        child.rename(work / child.name)
    stage.rmdir()


def _agent_task(run: OpenRun, notes: Notes, task: Task) -> AgentTask:
    folder = run.task_folder(task.id)
    gold = folder / "gold.patch"
    seeds = run.seal.envelope.run.seeds
    return AgentTask(
        key=notes.key,
        task=task,
        prompt=(folder / "prompt.md").read_text(encoding="utf-8"),
        arm=run.seal.arm,
        seed=seeds[notes.key.repeat - 1] if 0 < notes.key.repeat <= len(seeds) else None,
        gold=gold.read_bytes() if run.agent.needs_gold and gold.is_file() else None,
    )


def _run(
    world: World, run: OpenRun, notes: Notes, plan: AgentPlan, scratch: Path, work: Path, slot: int, stop: Stop
) -> tuple[Ended, int, Path | None]:
    """Run the plan in the sandbox; an agent without a command has ended cleanly at once."""
    if not plan.argv:
        return nothing_run(), 0, None
    out = world.sandbox.workspace(scratch / "out", role="agent", slot=slot, disk_bytes=OUT_BYTES)
    world.sandbox.hand_over(out, role="agent", slot=slot)
    lease = _lease(world, run, notes, plan, scratch, slot)
    try:
        launched = replace(plan, argv=("/bin/sh", "/in/launch.sh", *plan.argv))
        used = lease.through(launched, run.seal.envelope.sandbox.python) if lease else launched
        inside = _in_folder(run, notes, used, scratch)
        job = _job(run, used, inside, work, out, slot, lease)
        ended = world.sandbox.run(job, stop)
    finally:
        if lease is not None:
            lease.close()
    return ended, lease.paused_ms if lease else 0, out


def _lease(world: World, run: OpenRun, notes: Notes, plan: AgentPlan, scratch: Path, slot: int) -> RelayLease | None:
    if run.relay is None or not plan.needs_model:
        return None
    folder = scratch / "relay"
    folder.mkdir(mode=0o755)
    lease = run.relay.open(notes.key, notes.incarnation, folder, uid=None)
    world.sandbox.hand_over(folder, role="agent", slot=slot)
    return lease


def _in_folder(run: OpenRun, notes: Notes, plan: AgentPlan, scratch: Path) -> Path:
    """What the sandbox shows read-only at /in."""
    folder = scratch / "in"
    folder.mkdir(mode=0o755)
    files = {"prompt.md": (run.task_folder(notes.key.task_id) / "prompt.md").read_bytes()}
    files |= dict(plan.files) | {"launch.sh": LAUNCH.encode()}
    for name, data in files.items():
        path = folder / name
        path.write_bytes(data)
        path.chmod(0o644)
    spec = run.task_folder(notes.key.task_id) / "spec"
    if spec.is_dir():
        shutil.copytree(spec, folder / "spec")
    return folder


def _job(
    run: OpenRun, plan: AgentPlan, inside: Path, work: Path, out: Path, slot: int, lease: RelayLease | None
) -> Job:
    env = GIT_ENV | {"PYTHONPYCACHEPREFIX": "/tmp/pycache"} | dict(plan.env)
    return Job(
        argv=plan.argv,
        role="agent",
        limits=_limits(run),
        slot=slot,
        workdir=work,
        outdir=out,
        mounts=(Mount(host=inside, inside="/in"), *plan.mounts),
        env=env,
        socket=lease.socket if lease else None,
        report=True,
    )


def _limits(run: OpenRun) -> Limits:
    return agent_limits(run.seal.envelope)


def nothing_run() -> Ended:
    """The ending of an agent that had nothing to run."""
    return Ended(
        exit_code=0,
        signal=0,
        killed_by=KilledBy.NOBODY,
        oom=False,
        wall_ns=0,
        start_ns=0,
        stdout=b"",
        stderr=b"",
        output_truncated=False,
        report=b"started",
        enforced={},
    )
