"""`pack lock`: lint, digests, baseline, lint of the baseline, one atomic write. `pack verify` grades and writes nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from denominator._version import __version__
from denominator.errors import BlockedError, Problem
from denominator.packs import LOCK_FILE, days_left, load_pack, make_lock, pack_digest, task_paths, verify_lock
from denominator.packs.checking import check_tasks
from denominator.packs.lint import blocking, lint_pack
from denominator.pipeline.baseline_store import LEAST_REPEATS, box_digest, terms_digest
from denominator.pipeline.baselines import Bench, grade_trees, take_baseline
from denominator.pipeline.images import locked_images
from denominator.records.boxes import Box
from denominator.records.checks import PackCheck
from denominator.records.findings import Finding
from denominator.records.packs import FoundPack, PackLock, Task
from denominator.wire.canonical import canonical
from denominator.wire.durable import write_file


@dataclass(frozen=True, slots=True, kw_only=True)
class Locked:
    """A lock as written, and what lint still notes."""

    lock: PackLock
    findings: tuple[Finding, ...]


def lock_pack(root: Path, bench: Bench, *, box: Box, repeats: int = LEAST_REPEATS, concurrency: int = 1) -> Locked:
    """Lock a pack or refuse with every reason; an old lock stays as it is until the new one is whole."""
    found = load_pack(root)
    _refuse(found, lint_pack(replace(found, lock=None), bench.clock.wall()))
    make_lock(found, None, __version__, bench.images)  # refuses a used version before minutes of grading are spent
    baseline = take_baseline(found, bench, repeats=repeats, concurrency=concurrency, box=box)
    lock = make_lock(found, baseline, f"denominator {__version__}", bench.images)
    findings = lint_pack(replace(found, lock=lock), bench.clock.wall())
    _refuse(found, findings)
    write_file(root / LOCK_FILE, canonical(lock) + b"\n")
    return Locked(lock=lock, findings=findings)


def check_files(found: FoundPack, now: str, *, repeats: int = 0, concurrency: int = 0) -> PackCheck:
    """Is the pack what its lock says, and is its last day not over? Nothing is graded."""
    left = days_left(found.pack, now)
    return PackCheck(
        pack_id=found.pack.id,
        pack_version=found.pack.version,
        digest=pack_digest(Path(found.root)),
        locked=found.lock is not None,
        repeats=repeats,
        concurrency=concurrency,
        expires=found.pack.expires,
        expired=left is not None and left < 0,
        changed=tuple(str(problem) for problem in verify_lock(found).problems) if found.lock else (),
    )


def verify_pack(found: FoundPack, bench: Bench, *, box: Box, repeats: int, concurrency: int) -> PackCheck:
    """Grade base and gold of every task `repeats` times with the agent off. A pack that differs from its lock is not graded."""
    files = check_files(found, bench.clock.wall(), repeats=repeats, concurrency=concurrency)
    if files.changed:
        return files
    bench = replace(bench, images={**bench.images, **locked_images(found)})
    digest, runs = grade_trees(found, bench, repeats=repeats, concurrency=concurrency)
    return replace(
        files,
        digest=digest,
        tasks=check_tasks(found.pack.tasks, runs, found.lock.baseline if found.lock else None),
        box_digest=box_digest(box),
        grader_sha=bench.grader.digest(),
        terms_digest=terms_digest(bench.terms),
    )


def work_ahead(found: FoundPack, repeats: int, concurrency: int) -> str:
    """How many gradings, and how long they take by the timings of the lock, or at most by the tasks' own limits."""
    trees = [(task, on) for task in found.pack.tasks for on in _trees(found, task)]
    count = len(trees) * repeats
    tasks = "1 task" if len(found.pack.tasks) == 1 else f"{len(found.pack.tasks)} tasks"
    times = "once" if repeats == 1 else f"{repeats} times"
    said = f"{tasks}, {len(trees)} trees, {times} each: {count} gradings, {concurrency} at a time"
    took = [run.ms for run in found.lock.baseline.runs] if found.lock and found.lock.baseline else []
    if took:
        return f"{said}; about {max(1, sum(took) * count // (len(took) * concurrency * 1000))} s by the timings of the lock"
    return f"{said}; {sum(task.verify.timeout_s for task, _ in trees) * repeats // concurrency} s at most"


def _trees(found: FoundPack, task: Task) -> tuple[str, ...]:
    return ("base", "gold") if task_paths(found, task).gold.is_file() else ("base",)


def _refuse(found: FoundPack, findings: tuple[Finding, ...]) -> None:
    blocked = blocking(findings)
    if blocked:
        raise BlockedError(
            f"the pack is unfit to measure with: {len(blocked)} findings",
            where=found.root,
            problems=[Problem(f.where, f"{f.code} {f.allow_name}: {f.subject}: {f.what}", f.fix) for f in blocked],
            fix="denominator pack lint " + found.root,
        )
