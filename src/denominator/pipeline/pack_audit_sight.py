"""What an agent's sandbox shows, searched out here; what one sandbox leaves for the next."""

from __future__ import annotations

import base64
import json
import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

from denominator.packs import task_paths
from denominator.packs.audit import Needles, Said, needles_of, seen_in
from denominator.packs.audit.needles import Sight, sights_of
from denominator.packs.lint.material import read_material
from denominator.pipeline.agent_phase import copy_into
from denominator.pipeline.launch import ENV, FILES
from denominator.pipeline.notes import StoppedError
from denominator.pipeline.pack_audit_agents import agent_limits_of
from denominator.pipeline.pack_audit_bench import AuditBench, Laid
from denominator.ports import Ended, Job, Mount
from denominator.records.words import KilledBy
from denominator.wire.trees import copy_tree

REPORT_BYTES = 96 << 20
LOOK_S = 120.0


def search(ab: AuditBench) -> tuple[Said, Said]:
    """(hidden tests and gold, tokens): looked for in all that each task's agent can open."""
    needles = needles_here(ab)
    everywhere = {digest: what for one in needles.values() for digest, what in one.digests.items()}
    sizes = sorted({size for one in needles.values() for size in one.sizes})
    programs = _lay(ab)
    seen = ab.pooled([_look(ab, laid, programs, sizes) for laid in ab.tasks])
    found: list[str] = []
    shown: list[str] = []
    unknown: list[str] = []
    number = 0
    for laid, (sights, unread) in zip(ab.tasks, seen, strict=True):
        mine: Needles = replace(needles[laid.task.id], digests={**everywhere, **needles[laid.task.id].digests})
        here, held = seen_in(mine, sights)
        found += [f"{laid.task.id}: {one}" for one in here]
        shown += [f"{laid.task.id}: {one}" for one in held]
        unknown += [f"{laid.task.id}: {one}" for one in unread]
        number += len(sights)
    told = f"{number} files, processes and git objects of {len(seen)} sandboxes"
    hidden = Said(result=f"nothing among {told}", problems=tuple(found), unknown=tuple(unknown))
    held_back = Said(result=f"no token among {told}", problems=tuple(shown), unknown=tuple(unknown))
    return hidden, held_back


def needles_here(ab: AuditBench) -> dict[str, Needles]:
    """Task id -> what its agent may not find."""
    tokens = tuple(task.canary for task in ab.found.pack.tasks if task.canary)
    return {item.task.id: needles_of(item, (*tokens, ab.found.root)) for item in read_material(ab.found).tasks}


def snapshot_lines(ab: AuditBench) -> frozenset[str]:
    """Every line that an agent is given: prompts, specifications and repositories of all tasks."""
    return frozenset(line for item in read_material(ab.found).tasks for text in item.visible for line in text.lines)


def _look(
    ab: AuditBench, laid: Laid, programs: Path, sizes: Sequence[int]
) -> Callable[[int], tuple[list[Sight], list[str]]]:
    def run(slot: int) -> tuple[list[Sight], list[str]]:
        inside = _in_folder(ab, laid)
        argv = ("/bin/sh", "/in/launch.sh", ab.bench.terms.python, "-I", "-S", "-B", "/look/look.py")
        asked = json.dumps({"sizes": list(sizes)}).encode()
        mounts = (Mount(host=inside, inside="/in"), Mount(host=programs, inside="/look"))
        return _sights(_run(ab, argv, "agent", slot, mounts, stdin=asked, laid=laid))

    return run


def _in_folder(ab: AuditBench, laid: Laid) -> Path:
    """What the product shows at /in, with the task's own files."""
    paths = task_paths(ab.found, laid.task)
    folder = ab.place("in")
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    for name, data in {"prompt.md": paths.prompt.read_bytes(), **FILES}.items():
        (folder / name).write_bytes(data)
        (folder / name).chmod(0o644)
    if paths.spec.is_dir():
        copy_tree(paths.spec, folder / "spec")
    return folder


def _sights(ended: Ended) -> tuple[list[Sight], list[str]]:
    lines = ended.report.splitlines()
    if not lines or b'"end"' not in lines[-1]:
        why = ended.start_error or ended.stderr.decode("utf-8", "replace")[-300:] or f"ended by {ended.killed_by}"
        return [], [f"the search came to no end: {why}"]
    sights: list[Sight] = []
    unread: list[str] = []
    for one in map(json.loads, lines[:-1]):
        where, data = one["where"], base64.b64decode(one.get("text", ""))
        if data:
            inner, closed = sights_of(where, data)
            sights += inner
            unread += closed
        else:
            sights.append(Sight(where=where, sha256=one["sha256"], blob=one["blob"]))
        if "unread" in one:
            unread.append(f"{where}: {one['unread']}")
    return sights, unread


def residue(ab: AuditBench) -> Said:
    """Files that one sandbox lays wherever it may, looked for in the next of either role."""
    programs = _lay(ab)
    word = f"left-{secrets.token_hex(8)}"
    problems: list[str] = []
    unknown: list[str] = []
    laid_in = 0

    def turns(slot: int) -> None:
        nonlocal laid_in
        for role in ("agent", "grader"):
            left = _told(ab, programs, ("leave", word), role, slot)
            laid_in += len(left or ())
            unknown.extend([f"the {role}'s sandbox let no file be left"] if not left else [])
            for other in ("agent", "grader"):
                found = _told(ab, programs, ("find", word), other, slot)
                problems.extend(f"{place} of the {role} is there for the next {other}" for place in found or ())
                unknown.extend([f"no answer of the {other}'s sandbox"] if found is None else [])

    ab.pooled([turns])
    stays = [path.relative_to(ab.scratch).as_posix() for path in ab.scratch.rglob(f"*{word}*")]
    problems += [f"{path} is still in the harness's scratch" for path in stays]
    said = f"{laid_in} marked files in every place that may be written, none found by the next sandbox"
    return Said(result=said, problems=tuple(problems), unknown=tuple(unknown))


def _told(ab: AuditBench, programs: Path, words: tuple[str, str], role: str, slot: int) -> list[str] | None:
    argv = (ab.bench.terms.python, "-I", "-S", "-B", "/look/residue.py", *words)
    ended = _run(ab, argv, role, slot, (Mount(host=programs, inside="/look"),))
    lines = ended.report.decode("utf-8", "replace").split("\n")
    return lines[1:] if lines[0] == "done" else None


def _run(
    ab: AuditBench,
    argv: tuple[str, ...],
    role: str,
    slot: int,
    mounts: tuple[Mount, ...],
    *,
    stdin: bytes = b"",
    laid: Laid | None = None,
) -> Ended:
    """One program of ours in a sandbox of a role, in a task's image where it has one; an agent's has a workspace of its own."""
    limits = replace(agent_limits_of(ab), wall_s=LOOK_S, output_bytes=REPORT_BYTES)
    sandbox = ab.bench.sandbox if laid is None else ab.sandbox(laid)
    work = None
    if role == "agent":
        work = sandbox.workspace(ab.place("work"), role=role, slot=slot, disk_bytes=limits.disk_bytes)
    try:
        if work is not None:
            if laid is not None:
                copy_into(laid.base, work)
            sandbox.hand_over(work, role=role, slot=slot)
        job = Job(
            argv=argv,
            role=role,
            slot=slot,
            limits=limits,
            workdir=work,
            mounts=mounts,
            env=ENV,
            stdin=stdin,
            report=True,
        )
        ended = sandbox.run(job, ab.bench.stop)
    finally:
        if work is not None:
            sandbox.discard(work)
    if ended.killed_by == KilledBy.HARNESS_STOP:
        raise StoppedError
    return ended


def _lay(ab: AuditBench) -> Path:
    """Our programs as plain readable files."""
    folder = ab.scratch / "look"
    folder.mkdir(mode=0o755, exist_ok=True)
    folder.chmod(0o755)
    for name in ("look.py", "residue.py"):
        (folder / name).write_bytes((files("denominator.packs.audit.inside") / name).read_bytes())
        (folder / name).chmod(0o644)
    return folder
