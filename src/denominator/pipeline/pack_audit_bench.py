"""What every part of a pack's audit works with: the pack's trees in scratch, a pool of slots, one grading."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar
from uuid import uuid4

from denominator.packs.baseline import BASE, GOLD, wanted_grade
from denominator.pipeline.baselines import Bench, grading_limits
from denominator.pipeline.images import in_image
from denominator.pipeline.notes import StoppedError
from denominator.ports import Graded, GradeOrder, Sandbox
from denominator.records.packs import FoundPack, Task
from denominator.records.words import Grade, KilledBy

T = TypeVar("T")
WALL_LEAST_S = 6.0
WALL_TIMES = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid:
    """One task in scratch: its tree and hidden tests; `gold` is None where no patch is right."""

    task: Task
    base: Path
    hidden: Path
    gold: Path | None

    @property
    def right(self) -> Path | None:
        """The tree on which every hidden test must pass: gold, or the untouched one of a no-change control."""
        if self.gold is not None:
            return self.gold
        return self.base if wanted_grade(self.task, BASE) == Grade.GREEN else None

    @property
    def open(self) -> bool:
        """Is there a point to win: is the untouched tree to be red?"""
        return wanted_grade(self.task, BASE) == Grade.RED


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditBench:
    """The pack, where it lies in scratch, who grades. `say` hears how far it is."""

    found: FoundPack
    bench: Bench
    scratch: Path
    tasks: Sequence[Laid]
    concurrency: int
    say: Callable[[str], None]

    def pooled(self, jobs: Sequence[Callable[[int], T]], what: str = "") -> list[T]:
        """Every job with a slot of its own while it runs. Sandboxes die with their thread, so threads live to the end.

        With `what` each quarter that is done is said.
        """
        slots: SimpleQueue[int] = SimpleQueue()
        for slot in range(self.concurrency):
            slots.put(slot)

        def one(job: Callable[[int], T]) -> T:
            if self.bench.stop is not None and self.bench.stop.is_set():
                raise StoppedError
            slot = slots.get()
            try:
                return job(slot)
            finally:
                slots.put(slot)

        with ThreadPoolExecutor(max_workers=self.concurrency, thread_name_prefix="audit") as pool:
            waiting = [pool.submit(one, job) for job in jobs]
            try:
                return list(self._told(waiting, what))
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _told(self, waiting: Sequence[Future[T]], what: str) -> Iterator[T]:
        steps = {len(waiting) * quarter // 4 for quarter in (1, 2, 3, 4)} if what else set()
        for number, future in enumerate(waiting, 1):
            yield future.result()
            if number in steps:
                self.say(f"{number} of {len(waiting)} {what}")

    def sandbox(self, laid: Laid) -> Sandbox:
        """Where a task's agent and tests run: in its image where it names one."""
        image = laid.task.environment.image
        return in_image(self.bench.sandbox, self.bench.images.get(image, image))

    def graded(self, laid: Laid, tree: Path, slot: int, wall_s: float | None = None) -> Graded:
        """One grading of a tree; raises StoppedError when told to stop."""
        limits = grading_limits(self.bench.terms, laid.task)
        if wall_s is not None:
            limits = replace(limits, wall_s=min(wall_s, limits.wall_s))
        order = GradeOrder(
            task=laid.task,
            tree=tree,
            hidden=laid.hidden,
            limits=limits,
            python=self.bench.terms.python,
            site=self.bench.terms.site,
            slot=slot,
        )
        graded = self.bench.grader.grade(order, self.sandbox(laid), self.bench.stop)
        if graded.ended.killed_by == KilledBy.HARNESS_STOP:
            raise StoppedError
        return graded

    def place(self, name: str) -> Path:
        """A new path in scratch that nobody has."""
        return self.scratch / f"{name}-{uuid4().hex[:12]}"

    def changed(self, laid: Laid, tree: Path, path: str, source: bytes, slot: int, wall_s: float) -> Graded:
        """One grading of a tree with one file changed."""
        place = self.place("changed")
        shutil.copytree(tree, place)
        try:
            (place / path).write_bytes(source)
            return self.graded(laid, place, slot, wall_s)
        finally:
            shutil.rmtree(place, ignore_errors=True)


def patient(took_ms: Mapping[str, int], task: Task) -> float:
    """Seconds that a changed solution gets: several times what the right one took."""
    return max(WALL_LEAST_S, WALL_TIMES * took_ms.get(task.id, 0) / 1000)


def laid_pack(found: FoundPack, trees: Sequence[tuple[Task, str, Path, Path]]) -> tuple[Laid, ...]:
    """The tasks of a pack with the copies made for them."""
    by_id = {(task.id, on): (tree, hidden) for task, on, tree, hidden in trees}
    laid = []
    for task in found.pack.tasks:
        base, hidden = by_id[task.id, BASE]
        gold = by_id.get((task.id, GOLD))
        laid.append(Laid(task=task, base=base, hidden=hidden, gold=gold[0] if gold else None))
    return tuple(laid)
