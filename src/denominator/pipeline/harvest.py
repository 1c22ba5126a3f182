"""What the agent left: its patch from trees, its outputs, its ending, written in one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from denominator.pipeline.canary import canary_facts
from denominator.pipeline.evidence import printed, read_out
from denominator.pipeline.launch import never_begun, why_missing
from denominator.pipeline.links import leads_outside
from denominator.pipeline.meddling import kinds_of, meddling_found
from denominator.pipeline.notes import Notes
from denominator.pipeline.provider import (
    Failed,
    ended_by_provider,
    held_by_failed_calls,
    outgrew_window,
    provider_failure,
    say_not_played,
)
from denominator.pipeline.reading import Material, read_all
from denominator.pipeline.stops import LOST, PAUSED
from denominator.pipeline.taking import Taken, take
from denominator.pipeline.trajectories import own_facts, read_traces
from denominator.pipeline.world import OpenRun, World
from denominator.ports import Ended, Trace
from denominator.readers.provider import Broken
from denominator.records.events import Draft, Json
from denominator.records.packs import Task
from denominator.records.words import Checkpoint, KilledBy, Phase, StopReason, Writer
from denominator.run.paths import is_forbidden, is_outside
from denominator.run.spending import FAILED_CALLS, RUN_CAP
from denominator.wire.canonical import canonical
from denominator.wire.trees import touched

Left = dict[str, tuple[str, int]]
CUT_OFF: Mapping[str, str] = {
    LOST: "the gateway process died while the attempt had its access; what its open calls cost is unknown",
    PAUSED: "the wall clock ran out while the provider kept the attempt waiting",
}
IGNORED_LISTED = 100
TIMES = (KilledBy.BUDGET_WALL, KilledBy.BUDGET_WORKING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Harvest:
    """An ended agent phase: its workspace, its output folder (None: it had none), how it ended, what it took, what it tells."""

    work: Path
    out: Path | None
    ended: Ended
    setup_ms: int
    paused_ms: int
    cut: str = ""
    trace: Trace | None = None


def record_agent(world: World, run: OpenRun, notes: Notes, got: Harvest) -> None:
    """Store what the agent left and close its phase; ends the attempt where there is nothing to grade."""
    if got.ended.start_error:
        started = notes.failure("sandbox_start", Phase.AGENT, Writer.SANDBOX, got.ended.start_error)
        never = _cut_off(notes, got) or Failed(started, StopReason.HARNESS)
        notes.end(never.stop_reason or StopReason.HARNESS, never.event)
        return
    task, _ = run.sealed(notes.key.task_id)
    _open_up(got)
    taken = take(run, task, got.work)
    for data in taken.contents.values():
        run.blobs.put(data)
    patch_sha = run.blobs.put(canonical(taken.patch))
    left = read_out(got.out, run.blobs) if got.out else {}
    told, traces = read_traces(got.trace, got.out, got.ended, run.blobs)
    streams = printed(got.ended, run.blobs) | left | traces
    held = got.cut == FAILED_CALLS
    broken = held_by_failed_calls(notes) if held else ended_by_provider(notes, got.ended)
    say_not_played(world, notes, broken)
    ended = _ended(got, left, broken)
    blobs = {stream: sha for stream, (sha, _size) in streams.items()}
    material = Material(run=run, notes=notes, task=task, patch=taken.patch, streams=blobs)
    canary = canary_facts(run, notes, task, _places(taken), _said(run, got, left))
    found = meddling_found(run, task, taken.patch, taken.contents, taken.base_paths, got.work)
    facts = _facts(task, taken, patch_sha) | canary | {"tampering": kinds_of(found), "gave_away": list(found)}
    drafts = [
        notes.draft("agent.ended", Phase.AGENT, Writer.SANDBOX, ended),
        *notes.outputs(Phase.AGENT, streams),
        notes.draft("patch", Phase.AGENT, Writer.HARNESS, facts, blob=patch_sha),
        *(notes.facts(found) for found in (*read_all(material), *own_facts(material, got.trace, told, got.ended))),
        notes.done(Checkpoint.PATCH_DRAFTED, Phase.AGENT, patch_sha),
    ]
    ended_it = _cut_off(notes, got) or _failure(notes, got.ended)
    failed = ended_it or provider_failure(notes, got.ended, taken.patch, broken, held=held)
    world.failpoints.hit("draft.done.before")
    _write(run, notes, failed, got.cut, str(ended["killed_by"]), drafts)


def _open_up(got: Harvest) -> None:
    """An agent may have closed its own folders; without root's rights they must be opened to be read."""
    for folder in (got.work, got.out):
        if folder is not None:
            folder.chmod(0o755)


def _write(run: OpenRun, notes: Notes, failed: Failed | None, cut: str, killed_by: str, drafts: list[Draft]) -> None:
    """One transaction: what was found, and the attempt's ending where the agent phase is its last."""
    if cut == RUN_CAP:
        # The rest of this attempt was never paid for, so what stands on disk answers no question: it is not graded.
        notes.end(StopReason.BUDGET, *drafts)
    elif failed is not None and failed.stop_reason is not None:
        notes.end(failed.stop_reason, *drafts, failed.event)
    elif failed is not None:
        notes.write(*drafts, failed.event)
    elif over_budget(killed_by) and run.seal.envelope.policy.on_timeout != "grade":
        notes.end(StopReason.TIMEOUT if killed_by in TIMES else StopReason.BUDGET, *drafts)
    else:
        notes.write(*drafts)


def over_budget(killed_by: str) -> bool:
    """Did one of the agent's own budgets end it?"""
    return killed_by.startswith("budget_")


def _facts(task: Task, taken: Taken, sha: str) -> dict[str, Json]:
    patch, paths = taken.patch, touched(taken.patch)
    astray = [path for path, target in taken.links.items() if leads_outside(task, target)]
    outside = sorted({*astray, *(path for path in paths if is_outside(task, path))})
    forbidden = [path for path in paths if is_forbidden(task, path)]
    return {
        "sha256": sha,
        "bytes": sum(len(data) for data in taken.contents.values()),
        "touched": list(paths),
        "outside": [*outside],
        "forbidden": [*forbidden],
        "refused": list(patch.refused),
        "base_tree": patch.base_tree,
        "final_tree": patch.final_tree,
        "ignored": [*sorted(taken.aside)[:IGNORED_LISTED]],
        "ignored_count": len(taken.aside),
        "required_missing": [p for p in task.required_files if p not in taken.base_paths],
    }


def _places(taken: Taken) -> dict[str, bytes]:
    """Where a canary token is looked for in a patch: changed files, the names of all touched paths."""
    files = {
        change.path: taken.contents[change.blob] for change in taken.patch.changes if change.blob in taken.contents
    }
    names = "\n".join((*touched(taken.patch), *taken.aside)).encode()
    return {**taken.aside, **files, "paths": names}


def _said(run: OpenRun, got: Harvest, left: Left) -> dict[str, bytes]:
    """What the agent printed, and the files that it left beside its patch."""
    beside = {stream: run.blobs.get(sha) for stream, (sha, _size) in left.items()}
    return {"stdout": got.ended.stdout, "stderr": got.ended.stderr, **beside}


def _ended(got: Harvest, left: Left, broken: Broken | None) -> dict[str, Json]:
    ended, wall_ms = got.ended, got.ended.wall_ns // 1_000_000
    outgrown = broken is not None and outgrew_window(broken)
    killed_by = KilledBy.BUDGET_TOKENS if outgrown else ended.killed_by
    return {
        "exit": ended.exit_code,
        "signal": ended.signal,
        "killed_by": killed_by,
        "oom": ended.oom,
        "wall_ms": wall_ms,
        "paused_ms": got.paused_ms,
        "working_ms": wall_ms - got.paused_ms,
        "setup_ms": got.setup_ms,
        "truncated": ended.output_truncated,
        "enforced": dict(sorted(ended.enforced.items())),
        "after_cap": over_budget(killed_by) and not got.cut,
        "run_cap_cut": got.cut == RUN_CAP,
        "asked": "ask" in left,
        "abstained": "abstain" in left,
    }


def _cut_off(notes: Notes, got: Harvest) -> Failed | None:
    """A lost gateway, or a wall clock that ran out in a pause of the provider: nobody's budget but the host's."""
    if got.cut not in CUT_OFF:
        return None
    writer = Writer.HARNESS if got.cut == LOST else Writer.PROVIDER
    return Failed(notes.failure(got.cut, Phase.AGENT, writer, CUT_OFF[got.cut]), StopReason.INFRA)


def _failure(notes: Notes, ended: Ended) -> Failed | None:
    """What the harness and the sandbox say about the agent's ending, where that ends the attempt."""
    if why := why_missing(ended.report):
        detail = f"the agent's program did not begin: {why}"
        return Failed(notes.failure("agent_missing", Phase.AGENT, Writer.HARNESS, detail), StopReason.HARNESS)
    if never_begun(ended.report):
        detail = f"the launcher did not come as far as the agent: exit {ended.exit_code}, signal {ended.signal}"
        return Failed(notes.failure("sandbox_start", Phase.AGENT, Writer.HARNESS, detail), StopReason.HARNESS)
    if ended.killed_by == KilledBy.KERNEL_OOM:
        detail = "the kernel ended the agent for its memory"
        return Failed(notes.failure("oom_sandbox", Phase.AGENT, Writer.SANDBOX, detail), StopReason.INFRA)
    return None
