"""Taking a baseline: the hidden tests with the agent off, on base and gold, several times."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue

from denominator.errors import DenominatorError, InputError
from denominator.packs import copy_frozen, pack_digest, task_paths
from denominator.packs.baseline import judge_baseline
from denominator.pipeline.baseline_causes import told
from denominator.pipeline.baseline_store import LEAST_REPEATS, box_digest, terms_digest
from denominator.pipeline.images import in_image
from denominator.pipeline.notes import StoppedError
from denominator.ports import Clock, Graded, GradeOrder, Grader, Limits, Sandbox, Stop
from denominator.records.boxes import Box
from denominator.records.envelopes import SandboxTerms
from denominator.records.packs import Baseline, BaselineRun, FoundPack, Task
from denominator.records.values import NotMeasured
from denominator.records.words import KilledBy
from denominator.wire.scratch import scratch_folder
from denominator.wire.trees import apply_unified

MB = 1 << 20
GRADING_OUTPUT = 8 * MB
DEFAULT_TERMS = SandboxTerms(backend="bubblewrap", network="none", memory_mb=512, processes=64, disk_mb=128, file_mb=32)
"""What `pack lock` grades under; a run grades under its own envelope."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """Who grades, where, under which limits. `note` hears of each grading; `images` are the pins of images that tasks name."""

    grader: Grader
    sandbox: Sandbox
    clock: Clock
    terms: SandboxTerms = DEFAULT_TERMS
    stop: Stop | None = None
    note: Callable[[BaselineRun], None] | None = None
    images: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Grading:
    """One tree to grade; `on` names it. Without `limits` it gets those of the bench."""

    task: Task
    on: str
    repeat: int
    tree: Path
    hidden: Path
    limits: Limits | None = None


def take_baseline(found: FoundPack, bench: Bench, *, repeats: int, concurrency: int, box: Box) -> Baseline:
    """Grade every base tree, and every gold tree, `repeats` times with the agent off, `concurrency` at a time.

    Raises StoppedError when told to stop; a baseline is whole or not at all.
    """
    if repeats < LEAST_REPEATS or concurrency < 1:
        raise InputError(f"{repeats} repeats at concurrency {concurrency}", where="baseline", fix="3 and 1 at least")
    taken_at = bench.clock.wall()
    files, runs = grade_trees(found, bench, repeats=repeats, concurrency=concurrency)
    said = judge_baseline(found.pack.tasks, runs, found.lock.baseline if found.lock else None)
    return Baseline(
        pack_digest=files,
        box_digest=box_digest(box),
        concurrency=concurrency,
        repeats=repeats,
        taken_at=taken_at,
        runs=runs,
        flaky=said.flaky,
        wrong=said.wrong,
        expired=said.expired,
        ungraded=said.ungraded,
        grader_sha=bench.grader.digest(),
        terms_digest=terms_digest(bench.terms),
    )


def grade_trees(
    found: FoundPack, bench: Bench, *, repeats: int, concurrency: int
) -> tuple[str, tuple[BaselineRun, ...]]:
    """The pack's digest and every grading, by task, tree and repeat. Refuses a pack whose files change meanwhile.

    Nothing is written beside scratch, which is removed; raises StoppedError when told to stop.
    """
    files = pack_digest(Path(found.root))
    with grading_scratch() as scratch:
        runs = grade_all(_gradings(found, scratch, repeats), bench, concurrency)
    if pack_digest(Path(found.root)) != files:
        raise InputError("files of the pack changed while it was graded", where=found.root, fix="do it again")
    return files, tuple(sorted(runs, key=lambda run: (run.task_id, run.on, run.repeat)))


@contextmanager
def grading_scratch() -> Iterator[Path]:
    """A folder that the grader's uid can look into."""
    with scratch_folder("baseline") as folder:
        folder.chmod(0o755)
        yield folder


def _gradings(found: FoundPack, scratch: Path, repeats: int) -> list[Grading]:
    """All gradings, round by round, so that the repeats of one tree lie apart in time."""
    trees = [
        tree for number, task in enumerate(found.pack.tasks) for tree in laid_trees(found, task, scratch / str(number))
    ]
    return [Grading(task, on, r, tree, hidden) for r in range(1, repeats + 1) for task, on, tree, hidden in trees]


def laid_trees(found: FoundPack, task: Task, folder: Path) -> list[tuple[Task, str, Path, Path]]:
    """Pristine copies: the base tree, the base tree with gold, the hidden tests."""
    paths = task_paths(found, task)
    folder.mkdir()
    folder.chmod(0o755)
    copy_frozen(paths.repo, folder / "base")
    copy_frozen(paths.hidden, folder / "hidden")
    trees = [(task, "base", folder / "base", folder / "hidden")]
    if paths.gold.is_file():
        copy_frozen(paths.repo, folder / "gold")
        _apply_gold(paths.gold, folder / "gold")
        trees.append((task, "gold", folder / "gold", folder / "hidden"))
    return trees


def _apply_gold(patch: Path, tree: Path) -> None:
    try:
        apply_unified(tree, patch.read_bytes())
    except DenominatorError as error:
        raise InputError(f"cannot be applied: {error.what}", where=str(patch), fix="write it with git diff") from None


def grade_all(gradings: Sequence[Grading], bench: Bench, concurrency: int) -> list[BaselineRun]:
    """Grade trees, in the order given. Raises StoppedError when told to stop.

    Sandboxes die with the thread that started them, so each worker thread lives until the last grading.
    """
    slots: SimpleQueue[int] = SimpleQueue()
    for slot in range(concurrency):
        slots.put(slot)

    def one(grading: Grading) -> BaselineRun:
        if bench.stop is not None and bench.stop.is_set():
            raise StoppedError
        slot = slots.get()
        try:
            image = grading.task.environment.image
            sandbox = in_image(bench.sandbox, bench.images.get(image, image))
            graded = bench.grader.grade(_order(grading, bench.terms, slot), sandbox, bench.stop)
        finally:
            slots.put(slot)
        if graded.ended.killed_by == KilledBy.HARNESS_STOP:
            raise StoppedError
        run = _run(grading, graded)
        if bench.note is not None:
            bench.note(run)
        return run

    with ThreadPoolExecutor(max_workers=concurrency, thread_name_prefix="baseline") as pool:
        waiting = [pool.submit(one, grading) for grading in gradings]
        try:
            return [future.result() for future in waiting]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _order(grading: Grading, terms: SandboxTerms, slot: int) -> GradeOrder:
    return GradeOrder(
        task=grading.task,
        tree=grading.tree,
        hidden=grading.hidden,
        limits=grading.limits or grading_limits(terms, grading.task),
        python=terms.python,
        site=terms.site,
        slot=slot,
    )


def grading_limits(terms: SandboxTerms, task: Task) -> Limits:
    """What one grading may use: the task's own timeout, the sandbox's caps."""
    return Limits(
        wall_s=float(task.verify.timeout_s),
        memory_bytes=_number(terms.memory_mb) * MB,
        processes=_number(terms.processes),
        disk_bytes=_number(terms.disk_mb) * MB,
        file_bytes=_number(terms.file_mb) * MB,
        open_files=terms.open_files,
        output_bytes=GRADING_OUTPUT,
    )


def _number(value: int | NotMeasured) -> int:
    if isinstance(value, NotMeasured):
        raise InputError(f"a limit is {value}", where="[sandbox]", fix="fill it in")
    return value


def _run(grading: Grading, graded: Graded) -> BaselineRun:
    return BaselineRun(
        task_id=grading.task.id,
        on=grading.on,
        repeat=grading.repeat,
        grade=graded.grade,
        passed=graded.passed,
        failed=graded.failed,
        ms=graded.ended.wall_ns // 1_000_000,
        detail=told(grading.task, grading.on, graded),
    )
