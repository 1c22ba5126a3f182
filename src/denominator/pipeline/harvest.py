"""What the agent left: its patch from trees, its outputs, its ending, written in one transaction."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

from denominator.pipeline.evidence import canary_hits, read_out
from denominator.pipeline.notes import Notes
from denominator.pipeline.world import OpenRun, World
from denominator.ports import Ended
from denominator.records.events import Draft, Json
from denominator.records.packs import Task
from denominator.records.trees import Patch
from denominator.records.words import Checkpoint, KilledBy, Phase, StopReason, Writer
from denominator.run.budgets import agent_limits, own_budget_word
from denominator.run.paths import is_forbidden, is_litter, is_outside
from denominator.wire.canonical import canonical
from denominator.wire.trees import TreeLimits, diff_trees, read_tree, touched

Left = dict[str, tuple[str, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Harvest:
    """An ended agent phase: its workspace, its output folder (None: it had none), how it ended, what it took."""

    work: Path
    out: Path | None
    ended: Ended
    setup_ms: int
    paused_ms: int


def record_agent(world: World, run: OpenRun, notes: Notes, got: Harvest) -> None:
    """Store what the agent left and close its phase; ends the attempt where there is nothing to grade."""
    if got.ended.start_error:
        failure = notes.failure("sandbox_start", Phase.AGENT, Writer.SANDBOX, got.ended.start_error)
        notes.end(StopReason.HARNESS, failure)
        return
    task, _ = run.sealed(notes.key.task_id)
    patch, contents, base_paths = _patch(run, task, got)
    for data in contents.values():
        run.blobs.put(data)
    patch_sha = run.blobs.put(canonical(patch))
    left = read_out(got.out, run.blobs) if got.out else {}
    facts = _facts(task, patch, patch_sha, contents, base_paths, got)
    ended = _ended(run, got, left)
    drafts = [
        notes.draft("agent.ended", Phase.AGENT, Writer.SANDBOX, ended),
        *_outputs(run, notes, got.ended, left),
        notes.draft("patch", Phase.AGENT, Writer.HARNESS, facts, blob=patch_sha),
        notes.done(Checkpoint.PATCH_DRAFTED, Phase.AGENT, patch_sha),
    ]
    world.failpoints.hit("patch.before_done")
    _write(run, notes, got.ended, ended["after_cap"] is True, drafts)
    world.failpoints.hit("patch.after_done")


def _write(run: OpenRun, notes: Notes, ended: Ended, after_cap: bool, drafts: list[Draft]) -> None:
    """One transaction: what was found, and the attempt's ending where the agent phase is its last."""
    failed = _failure(notes, ended)
    if failed is not None:
        stop_reason, failure = failed
        notes.end(stop_reason, *drafts, failure)
    elif after_cap and run.seal.envelope.policy.on_timeout != "grade":
        notes.end(StopReason.TIMEOUT, *drafts)
    else:
        notes.write(*drafts)


def _patch(run: OpenRun, task: Task, got: Harvest) -> tuple[Patch, dict[str, bytes], Collection[str]]:
    """The difference between the sealed tree and what the agent left, without the litter of tools that merely ran."""
    limits = TreeLimits(total_bytes=agent_limits(run.seal.envelope).disk_bytes)
    base = read_tree(run.task_folder(task.id) / "repo", trusted=True)
    patch, contents = diff_trees(base, got.work, read_tree(got.work, limits), limits)
    changes = tuple(change for change in patch.changes if not is_litter(change.path))
    wanted = {change.blob for change in changes}
    kept = {sha: data for sha, data in contents.items() if sha in wanted}
    return replace(patch, changes=changes), kept, base.by_path().keys()


def _facts(
    task: Task, patch: Patch, sha: str, contents: dict[str, bytes], base_paths: Collection[str], got: Harvest
) -> dict[str, Json]:
    paths = [p for p in touched(patch) if not is_litter(p)]
    places = {**contents, "stdout": got.ended.stdout, "stderr": got.ended.stderr}
    return {
        "sha256": sha,
        "bytes": sum(len(data) for data in contents.values()),
        "touched": list(paths),
        "outside": [p for p in paths if is_outside(task, p)],
        "forbidden": [p for p in paths if is_forbidden(task, p)],
        "refused": list(patch.refused),
        "base_tree": patch.base_tree,
        "final_tree": patch.final_tree,
        "required_missing": [p for p in task.required_files if p not in base_paths],
        "canary_hits": list(canary_hits(task.canary, places)),
    }


def _ended(run: OpenRun, got: Harvest, left: Left) -> dict[str, Json]:
    ended, wall_ms = got.ended, got.ended.wall_ns // 1_000_000
    killed_by = own_budget_word(run.seal.envelope, ended.killed_by)
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
        "after_cap": killed_by.startswith("budget_"),
        "asked": "ask" in left,
        "abstained": "abstain" in left,
    }


def _outputs(run: OpenRun, notes: Notes, ended: Ended, left: Left) -> list[Draft]:
    streams = {"stdout": ended.stdout, "stderr": ended.stderr}
    found = {name: (run.blobs.put(data), len(data)) for name, data in streams.items() if data} | left
    return [
        notes.draft("output", Phase.AGENT, Writer.SANDBOX, {"bytes": size}, stream=name, blob=sha)
        for name, (sha, size) in found.items()
    ]


def _failure(notes: Notes, ended: Ended) -> tuple[StopReason, Draft] | None:
    """What the sandbox says about the agent's ending, where that ends the attempt."""
    if ended.report.startswith(b"missing"):
        detail = "the agent's program is not in the sandbox"
        return StopReason.HARNESS, notes.failure("agent_missing", Phase.AGENT, Writer.HARNESS, detail)
    if ended.killed_by == KilledBy.KERNEL_OOM:
        detail = "the kernel ended the agent for its memory"
        return StopReason.INFRA, notes.failure("oom_sandbox", Phase.AGENT, Writer.SANDBOX, detail)
    return None
