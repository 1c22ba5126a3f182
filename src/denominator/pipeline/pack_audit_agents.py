"""Agents of the shipped corpus at work: one in the agent's sandbox on a copy of a tree, and what of it counts."""

from __future__ import annotations

import json
from pathlib import Path

from denominator.packs.audit import corpus_files
from denominator.pipeline.agent_phase import copy_into
from denominator.pipeline.baselines import grading_limits
from denominator.pipeline.launch import ENV
from denominator.pipeline.notes import StoppedError
from denominator.pipeline.pack_audit_bench import AuditBench, Laid
from denominator.ports import Job, Limits, Mount
from denominator.records.words import KilledBy
from denominator.run.paths import is_forbidden, is_outside, kept
from denominator.wire.trees import apply_patch, diff_trees, read_tree

AGENT_S = 20.0


def lay_corpus(ab: AuditBench) -> Path:
    """The corpus as plain readable files, to be shown to sandboxes."""
    folder = ab.scratch / "corpus"
    for path, data in corpus_files().items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
        place.chmod(0o644)
    for place in (folder, *(one for one in folder.rglob("*") if one.is_dir())):
        place.chmod(0o755)
    return folder


def work_on(
    ab: AuditBench, corpus: Path, laid: Laid, tree: Path, agent: tuple[str, str], place: Path, slot: int
) -> tuple[str, bool]:
    """Let an agent work on a copy of `tree`, and apply what counts at `place`. (What went wrong, did anything change?)

    Goes the product's own way: a sized workspace, the agent's role, trees compared out here, links and devices refused.
    """
    limits = agent_limits_of(ab)
    sandbox = ab.sandbox(laid)
    work = sandbox.workspace(ab.place("work"), role="agent", slot=slot, disk_bytes=limits.disk_bytes)
    try:
        copy_into(tree, work)
        sandbox.hand_over(work, role="agent", slot=slot)
        job = Job(
            argv=(ab.bench.terms.python, "-I", "-B", "/corpus/drive.py", *agent),
            role="agent",
            slot=slot,
            limits=limits,
            workdir=work,
            mounts=(Mount(host=corpus, inside="/corpus"),),
            env=ENV,
            stdin=json.dumps(_facts(laid, tree)).encode(),
        )
        ended = sandbox.run(job, ab.bench.stop)
        if ended.killed_by == KilledBy.HARNESS_STOP:
            raise StoppedError
        if ended.start_error or ended.exit_code:
            why = ended.start_error or ended.stderr.decode("utf-8", "replace")[-300:]
            return f"the agent did not come to its end: {why}", False
        work.chmod(0o755)
        base = read_tree(tree, trusted=True)
        patch, blobs = diff_trees(base, work, read_tree(work))
    finally:
        sandbox.discard(work)
    after = apply_patch(tree, patch, blobs.__getitem__, place, lambda change: kept(laid.task, change))
    return "", after.digest != base.digest


def _facts(laid: Laid, tree: Path) -> dict[str, object]:
    """What an agent knows of a task: Python files that count, folders in which they lie."""
    paths = [entry.path for entry in read_tree(tree, trusted=True).entries if entry.kind == "file"]
    mine = [path for path in paths if not is_outside(laid.task, path) and not is_forbidden(laid.task, path)]
    folders = {path.rpartition("/")[0] for path in mine} | {""}
    targets = [path for path in mine if path.endswith(".py")]
    return {"targets": targets, "folders": sorted(folders), "runner": laid.task.verify.runner}


def agent_limits_of(ab: AuditBench) -> Limits:
    """What an agent of the audit may use."""
    given = grading_limits(ab.bench.terms, ab.tasks[0].task)
    return Limits(
        wall_s=AGENT_S,
        memory_bytes=given.memory_bytes,
        processes=given.processes,
        disk_bytes=given.disk_bytes,
        file_bytes=given.file_bytes,
        open_files=given.open_files,
        output_bytes=given.output_bytes,
    )
