"""`pack lock` and `pack verify` on this machine: the real sandbox and grader."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Lock

from denominator.adapters.clock import SystemClock
from denominator.errors import InputError, MachineError
from denominator.packs import find_pack, load_pack, verify_lock
from denominator.pipeline.baselines import DEFAULT_TERMS, Bench
from denominator.pipeline.images import named_images
from denominator.pipeline.packs import Locked, check_files, lock_pack, verify_pack, work_ahead
from denominator.pipeline.sealing import read_box
from denominator.ports import Reporter
from denominator.records.boxes import Box
from denominator.records.checks import PackCheck
from denominator.records.packs import BaselineRun
from denominator.wiring.running import stop_on_signals
from denominator.wiring.world import a_world, pin_image


def lock_here(pack_name: str, repeats: int, concurrency: int, reporter: Reporter) -> Locked:
    """Lock a pack, grading its base and gold trees in the sandbox."""
    root = Path(find_pack(pack_name))
    if not os.access(root, os.W_OK | os.X_OK):
        raise InputError("may not be written, so it cannot be locked", where=str(root), fix="copy the pack")
    with bench_here(root, reporter) as (bench, box):
        return lock_pack(root, bench, box=box, repeats=repeats, concurrency=concurrency)


def verify_here(pack_name: str, repeats: int, concurrency: int, reporter: Reporter) -> PackCheck:
    """Hold a pack against its lock and, with `repeats`, grade its trees that many times. Writes nothing."""
    found = load_pack(find_pack(pack_name))
    if not repeats:
        verify_lock(found)  # a pack without a lock cannot be held against one
        return check_files(found, SystemClock().wall())
    reporter.line(work_ahead(found, repeats, concurrency))
    with bench_here(Path(found.root), reporter) as (bench, box):
        note = _Rounds(reporter, repeats).note
        return verify_pack(found, replace(bench, note=note), box=box, repeats=repeats, concurrency=concurrency)


@contextmanager
def bench_here(root: Path, reporter: Reporter) -> Iterator[tuple[Bench, Box]]:
    """Grader, sandbox and clock of this machine; refuses one whose sandbox does not work."""
    images = {name: pin_image(name) for name in named_images(load_pack(root))}
    terms = replace(DEFAULT_TERMS, backend="docker", image=min(images.values())) if images else DEFAULT_TERMS
    with stop_on_signals() as stop, a_world(terms, reporter, hidden=(root,)) as world:
        facts = world.sandbox.facts(terms)
        if not facts.usable:
            raise MachineError(f"the sandbox does not work here: {facts.why_not}", fix="denominator doctor")
        bench = Bench(
            grader=world.grader, sandbox=world.sandbox, clock=world.clock, terms=terms, stop=stop, images=images
        )
        yield bench, read_box(world, terms, root)


class _Rounds:
    """Says when a round over all trees is about done, and at once when a tree shows something else than before."""

    def __init__(self, reporter: Reporter, repeats: int) -> None:
        self.reporter, self.repeats, self.round, self.lock = reporter, repeats, 1, Lock()
        self.first: dict[tuple[str, str], str] = {}

    def note(self, run: BaselineRun) -> None:
        """One grading has ended."""
        with self.lock:
            before = self.first.setdefault((run.task_id, run.on), run.grade)
            if run.grade != before:
                self.reporter.line(f"{run.task_id} {run.on}: {run.grade} in repeat {run.repeat}, {before} before")
            if run.repeat > self.round:
                self.reporter.line(f"repeat {self.round} of {self.repeats} is done")
                self.round = run.repeat
