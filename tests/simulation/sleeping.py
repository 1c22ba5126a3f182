"""A run whose agents sleep and whose grader says green at once: journal, blobs, trees, threads and the state machine are real."""

from __future__ import annotations

import resource
import shutil
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from denominator.adapters.clock import SystemClock
from denominator.adapters.failpoints import NoFailpoints
from denominator.adapters.store.blobs import FolderBlobs
from denominator.adapters.store.sqlite import SqliteJournal
from denominator.envelopes import Sealing, seal_digest
from denominator.envelopes.template import demo_envelope
from denominator.packs import load_pack, make_lock
from denominator.pipeline.baseline_store import box_digest
from denominator.pipeline.engine import StopFlag
from denominator.pipeline.launch import STARTED
from denominator.pipeline.run import RunResult, run_all
from denominator.pipeline.sealing import seal_run, write_seal
from denominator.pipeline.world import OpenRun, World
from denominator.ports import AgentPlan, AgentTask, Ended, Graded, GradeOrder, Job, Sandbox, Stop
from denominator.records.boxes import Box, SandboxFacts
from denominator.records.envelopes import SandboxTerms
from denominator.records.events import Json
from denominator.records.keys import AttemptKey
from denominator.records.packs import Baseline
from denominator.records.seals import Seal
from denominator.run.layout import RunFolder
from denominator.stats.prng import Prng
from denominator.wire.canonical import canonical
from unit.packs.making import add_task, make_pack

RUN_ID = "asleep"
BOX = Box(**{name: name for name in Box.__dataclass_fields__ if name != "schema_version"})
LOOK_S = 0.25
"""How often a sleeper looks whether it is to stop."""
NOW = "2026-11-30T12:00:00.000Z"


def ended(wall_ns: int = 0, killed_by: str = "nobody") -> Ended:
    """A command that ended well."""
    return Ended(
        exit_code=0, signal=0, killed_by=killed_by, oom=False, wall_ns=wall_ns, start_ns=0, stdout=b"slept\n", stderr=b"",
        output_truncated=False, report=STARTED, enforced={},
    )  # fmt: skip


@dataclass(slots=True)
class Dormitory:
    """`ports.Sandbox` in which a command is a sleep of `least_s` to `most_s`, of its own for every run of it."""

    least_s: float
    most_s: float
    name: str = "dormitory"
    asleep: int = 0
    most_asleep: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    drawn: Prng = field(default_factory=lambda: Prng(20261130, "sleep"))

    def facts(self, terms: SandboxTerms) -> SandboxFacts:
        return SandboxFacts(name=self.name, version="0", mode="none", usable=True, protections=())

    def workspace(self, folder: Path, *, role: str, slot: int, disk_bytes: int) -> Path:
        folder.mkdir(exist_ok=True)
        return folder

    def hand_over(self, folder: Path, *, role: str, slot: int) -> None:
        """Everything belongs to one user."""

    def discard(self, folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)

    def close(self) -> None:
        """Nothing is kept."""

    def run(self, job: Job, stop: Stop | None = None) -> Ended:
        with self.lock:
            self.asleep += 1
            self.most_asleep = max(self.asleep, self.most_asleep)
            length_s = self.least_s + (self.most_s - self.least_s) * self.drawn.below(1000) / 1000
        began, stopped = time.monotonic_ns(), False
        while not stopped and (left_s := length_s - (time.monotonic_ns() - began) / 1e9) > 0:
            time.sleep(min(left_s, LOOK_S))
            stopped = stop is not None and stop.is_set()
        with self.lock:
            self.asleep -= 1
        assert job.workdir is not None
        (job.workdir / "adder" / "slept.py").write_text("")
        return ended(time.monotonic_ns() - began, "harness_stop" if stopped else "nobody")


class Sleeper:
    """`ports.Agent` that is its sandbox's sleep."""

    name = "sleeper"
    needs_gold = False

    def plan(self, task: AgentTask) -> AgentPlan:
        return AgentPlan(argv=("sleep",))

    def version(self) -> str:
        return "1"


class Nodding:
    """`ports.Grader` that finds every tree but the empty patch's green without looking."""

    name = "nodding"

    def digest(self) -> str:
        return "9" * 64

    def grade(self, order: GradeOrder, sandbox: Sandbox, stop: Stop | None = None) -> Graded:
        green = order.tree.name == "applied"
        ids = tuple(order.task.verify.expected_tests)
        return Graded(
            grade="green" if green else "red", why="", level="G2", stage="finished", expected=ids,
            passed=ids if green else (), failed=() if green else ids, skipped=(), missing=(), other=(),
            sentinels_expected=1, sentinels_failed=1, counter_expected=1, counter_failed=1,
            grader_sha=self.digest(), report=b"{}", ended=ended(),
        )  # fmt: skip


class Quiet:
    """`ports.Reporter` that counts endings."""

    def __init__(self) -> None:
        self.attempts = 0

    def expect(self, attempts: int) -> None:
        """Nobody looks."""

    def line(self, text: str) -> None:
        """Nobody reads."""

    def attempt(self, key: AttemptKey, word: str, detail: Mapping[str, Json]) -> None:
        self.attempts += 1


@dataclass(frozen=True, slots=True)
class Night:
    """A sealed run of sleeping agents and what carries it out."""

    world: World
    run: OpenRun
    baseline: Baseline
    beds: Dormitory

    def sleep(self, stop: StopFlag | None = None) -> RunResult:
        """Carry the run out, or go on with it."""
        return run_all(self.world, [self.run], self.baseline, stop or StopFlag())

    def reopened(self) -> Night:
        """The same run as another process would open it."""
        self.run.journal.close()
        return replace(self, run=open_asleep(self.run.folder.root, self.run.seal, self.run.seal_digest))


def make_night(folder: Path, *, tasks: int, repeats: int, beds: int, least_s: float, most_s: float) -> Night:
    """Seal a run of `tasks` x `repeats` draws with `beds` concurrent agents below `folder`; nothing has run yet."""
    root = make_pack(folder / "runs" / RUN_ID / "pack")
    for number in range(1, tasks):
        add_task(root, f"sums-{number:04d}")
    (root / "pack.lock").write_bytes(canonical(make_lock(load_pack(root), None, "test")))
    found = load_pack(root)
    assert found.lock is not None
    base = demo_envelope("sleeper", "sleeper", version="1", repeats=repeats)
    sandbox = replace(base.sandbox, backend=Dormitory.__name__.lower())
    envelope = replace(base, run=replace(base.run, concurrency=beds), sandbox=sandbox)
    around = Sealing(
        rules_digest="r" * 64, causes=(), box=BOX, sandbox=Dormitory(0, 0).facts(envelope.sandbox),
        grader_sha=Nodding().digest(), version="0", commit="c" * 40, sealed_at=NOW,
    )  # fmt: skip
    baseline = Baseline(
        pack_digest=found.lock.digest, box_digest=box_digest(BOX), concurrency=beds, repeats=3, taken_at=NOW, runs=(),
        grader_sha=Nodding().digest(),
    )  # fmt: skip
    seal = seal_run(envelope, envelope.arm[0], found, baseline, around)
    write_seal(root.parent / "seal.json", seal)
    (root.parent / "blobs").mkdir()
    SqliteJournal(root.parent / "journal.db", RUN_ID, SystemClock(), NoFailpoints(), create=True).close()
    dormitory = Dormitory(least_s, most_s)
    world = World(
        clock=SystemClock(), sandbox=dormitory, grader=Nodding(), box=None,  # type: ignore[arg-type]
        failpoints=NoFailpoints(), reporter=Quiet(),
    )  # fmt: skip
    return Night(world, open_asleep(root.parent, seal, seal_digest(seal)), baseline, dormitory)


def open_asleep(root: Path, seal: Seal, digest: str) -> OpenRun:
    """The run in this folder, with the sleeper as its agent."""
    folder = RunFolder(root)
    return OpenRun(
        run_id=RUN_ID, seal=seal, seal_digest=digest, folder=folder, pack_root=folder.pack,
        journal=SqliteJournal(folder.journal, RUN_ID, SystemClock(), NoFailpoints()), blobs=FolderBlobs(folder.blobs),
        agent=Sleeper(),
    )  # fmt: skip


@dataclass(slots=True)
class Seen:
    """The most that a process held while somebody watched."""

    threads: int = 0
    files: int = 0
    memory_mb: int = 0


@contextmanager
def watched(every_s: float = 0.05) -> Iterator[Seen]:
    """Look at this process's threads and file handles meanwhile; memory is the most that it ever had."""
    seen, over = Seen(), threading.Event()

    def look() -> None:
        while not over.wait(every_s):
            seen.threads = max(seen.threads, threading.active_count())
            seen.files = max(seen.files, sum(1 for _ in Path("/proc/self/fd").iterdir()))

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        yield seen
    finally:
        over.set()
        watcher.join()
        seen.memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
