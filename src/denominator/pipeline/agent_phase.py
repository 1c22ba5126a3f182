"""The agent phase: a fresh workspace from the sealed snapshot, the agent in the sandbox, its patch from trees."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from uuid import uuid4

from denominator.pipeline.harvest import Harvest, record_agent
from denominator.pipeline.images import of_task
from denominator.pipeline.launch import ENV, FILES, STARTED, launched
from denominator.pipeline.narration import prompt_for
from denominator.pipeline.notes import Notes, StoppedError
from denominator.pipeline.sealed import changed_inputs, end_changed
from denominator.pipeline.stops import Cut, PhaseStop, Watched, cut_of
from denominator.pipeline.world import OpenRun, World
from denominator.ports import AgentPlan, AgentTask, Ended, Job, Mount, RelayLease, Stop
from denominator.records.keys import AttemptKey
from denominator.records.packs import LockedTask, Task
from denominator.records.words import Checkpoint, KilledBy, Phase
from denominator.run.budgets import agent_limits, own_budget_word, working_s
from denominator.wire.trees import copy_tree

OUT_BYTES = 64 << 20
RELAY_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Place:
    """Where one agent works: its scratch folder, its workspace, the worker slot whose uid owns it, its task's image."""

    scratch: Path
    work: Path
    slot: int
    image: str = ""


def run_agent(world: World, run: OpenRun, notes: Notes, slot: int, stop: Stop) -> None:
    """Run the agent and store its patch; ends the attempt where there is nothing to grade."""
    task, locked = run.sealed(notes.key.task_id)
    setup_from = world.clock.mono_ns()
    place = _load_context(world, run, notes, locked, slot)
    if place is None:
        return
    plan = run.agent.plan(_agent_task(run, notes, task))
    world.failpoints.hit("draft.intent.before")
    notes.intent(Checkpoint.PATCH_DRAFTED, Phase.AGENT, locked.base_tree)
    setup_ms = (world.clock.mono_ns() - setup_from) // 1_000_000
    world.failpoints.hit("agent.before")
    cut, paused_ms, out = _run(world, run, notes, plan, place, stop)
    world.failpoints.hit("agent.after")
    if cut.ended.killed_by == KilledBy.HARNESS_STOP and not cut.by:
        raise StoppedError
    got = Harvest(
        work=place.work, out=out, ended=cut.ended, cut=cut.by, setup_ms=setup_ms, paused_ms=paused_ms, trace=plan.trace
    )
    record_agent(world, run, notes, got)


def _load_context(world: World, run: OpenRun, notes: Notes, locked: LockedTask, slot: int) -> Place | None:
    """The sealed snapshot in a workspace of its own; None when the pack no longer holds what was sealed."""
    world.failpoints.hit("context.intent.before")
    notes.intent(Checkpoint.CONTEXT_LOADED, Phase.SETUP, "", locked.base_tree)
    changed = changed_inputs(run, locked)
    if changed:
        end_changed(notes, Phase.SETUP, changed)
        return None
    scratch = _scratch(world, run, notes)
    disk = agent_limits(run.seal.envelope).disk_bytes
    work = world.sandbox.workspace(scratch / "agent", role="agent", slot=slot, disk_bytes=disk)
    copy_into(run.task_folder(locked.id) / "repo", work)
    world.sandbox.hand_over(work, role="agent", slot=slot)
    world.failpoints.hit("context.copied")
    notes.write(notes.done(Checkpoint.CONTEXT_LOADED, Phase.SETUP, locked.base_tree))
    return Place(scratch, work, slot, of_task(run.sealed(locked.id)[0], locked))


def _scratch(world: World, run: OpenRun, notes: Notes) -> Path:
    """A new empty scratch folder: what a dead incarnation left in its agent phase is worth nothing."""
    folder = run.folder.attempt(notes.key)
    if folder.exists():
        world.sandbox.discard(folder)
    folder.mkdir(parents=True)
    return folder


def copy_into(repo: Path, work: Path) -> None:
    """Copy a trusted tree into an existing empty folder."""
    stage = work / f".{uuid4().hex}"
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
        prompt=prompt_for(notes.key, (folder / "prompt.md").read_bytes()).decode("utf-8"),
        arm=run.seal.arm,
        seed=seeds[notes.key.repeat - 1] if 0 < notes.key.repeat <= len(seeds) else None,
        gold=gold.read_bytes() if run.agent.needs_gold and gold.is_file() else None,
    )


def _run(
    world: World, run: OpenRun, notes: Notes, plan: AgentPlan, place: Place, stop: Stop
) -> tuple[Cut, int, Path | None]:
    """Run the plan in the sandbox; an agent without a command has ended cleanly at once."""
    if not plan.argv:
        return Cut(nothing_run()), 0, None
    stop = Watched(stop, lambda: world.failpoints.hit("agent.spawned"))
    out = _folder(world, place, "out", OUT_BYTES)
    lease = _lease(world, run, notes, plan, place)
    wrapped = replace(plan, argv=launched(run, plan))
    if lease is None:
        ended = world.sandbox.run(_prepared(world, run, notes, wrapped, place, out), stop)
        return Cut(replace(ended, killed_by=own_budget_word(run.seal.envelope, ended.killed_by))), 0, out
    watch = PhaseStop(stop, lease, world.clock, working_s(run.seal.envelope))
    try:
        through = lease.through(wrapped, run.seal.envelope.sandbox.python)
        ended = world.sandbox.run(_prepared(world, run, notes, through, place, out, lease), watch)
        # Asked for before the close: what comes after the agent's end keeps nobody waiting.
        ended_ns, waiting = world.clock.mono_ns(), lease.waiting
    finally:
        lease.close()
    # An agent that ends on the provider's refusal is often quicker than the row that says how long it had waited for it.
    paused_ms = lease.paused_until(ended_ns)
    return cut_of(watch, ended, waiting), min(paused_ms, ended.wall_ns // 1_000_000), out


def _prepared(
    world: World, run: OpenRun, notes: Notes, plan: AgentPlan, place: Place, out: Path, lease: RelayLease | None = None
) -> Job:
    """The job, with what it sees at /in in place."""
    inside = _in_folder(run, notes.key, plan, _folder(world, place, "in", OUT_BYTES))
    return _job(run, plan, inside, place, out, lease)


def _lease(world: World, run: OpenRun, notes: Notes, plan: AgentPlan, place: Place) -> RelayLease | None:
    if run.relay is None or not plan.needs_model:
        return None
    folder = _folder(world, place, "relay", RELAY_BYTES)
    lease = run.relay.open(notes.key, notes.incarnation, folder, uid=None)
    world.sandbox.hand_over(folder, role="agent", slot=place.slot)
    return lease


def _folder(world: World, place: Place, name: str, size: int) -> Path:
    """A folder for the sandbox; where it is a disk of its own, the sandbox's mount table does not tell where we keep it."""
    return world.sandbox.workspace(place.scratch / name, role="agent", slot=place.slot, disk_bytes=size)


def _in_folder(run: OpenRun, key: AttemptKey, plan: AgentPlan, folder: Path) -> Path:
    """What the sandbox shows read-only at /in, readable whatever the umask of the harness."""
    folder.chmod(0o755)
    task_folder = run.task_folder(key.task_id)
    prompt = prompt_for(key, (task_folder / "prompt.md").read_bytes())
    for name, data in {"prompt.md": prompt, **plan.files, **FILES}.items():
        path = folder / name
        path.write_bytes(data)
        path.chmod(0o644)
    if (task_folder / "spec").is_dir():
        copy_tree(task_folder / "spec", folder / "spec")
    return folder


def _job(run: OpenRun, plan: AgentPlan, inside: Path, place: Place, out: Path, lease: RelayLease | None) -> Job:
    return Job(
        argv=plan.argv,
        role="agent",
        limits=agent_limits(run.seal.envelope, pausable=lease is not None),
        slot=place.slot,
        workdir=place.work,
        outdir=out,
        mounts=(Mount(host=inside, inside="/in"), *plan.mounts),
        env=ENV | dict(plan.env),
        socket=lease.socket if lease else None,
        report=True,
        image=place.image,
    )


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
        report=STARTED,
        enforced={},
    )
