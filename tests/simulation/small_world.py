"""The smallest world in which a run can go wrong: four tiny tasks, an agent, a sandbox and a grader that are a few lines.

The parts that are tested are real (state machine, journal, blobs, trees); what they call is not, because here the order
of their calls is the subject. Each draft of a task is another one, so that a second draft is seen in what is graded.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from denominator.adapters.store.blobs import FolderBlobs
from denominator.adapters.store.sqlite import SqliteJournal
from denominator.envelopes import demo_envelope
from denominator.labels.causes import DEFAULT_CAUSES
from denominator.pipeline.launch import STARTED
from denominator.pipeline.sealed import task_digest, tree_digest_of
from denominator.ports import AgentPlan, AgentTask, Ended, Graded, GradeOrder, Job, Journal, Limits
from denominator.records.boxes import SandboxFacts
from denominator.records.envelopes import SandboxTerms
from denominator.records.events import Json
from denominator.records.keys import AttemptKey, DrawKey
from denominator.records.packs import Baseline, LockedTask, Task, Verify
from denominator.records.rows import Declared
from denominator.records.seals import Plan, Seal, SealedTask
from denominator.records.words import Checkpoint, KilledBy
from denominator.testing.simulation import Simulation
from denominator.wire.canonical import sha256_bytes
from denominator.wire.trees import EMPTY_TREE, read_tree
from unit.compare.arms import SEAL

RUN_ID = "r"
GRADER_SHA = "9" * 64
ENDINGS: Mapping[str, str] = {"good": "pass", "bad": "tests_red", "idle": "no_patch", "hungry": "pass"}
"""What each task must come out as, however often it was interrupted; `hungry` is killed by the kernel at its first attempt."""
LIMITS = Limits(
    wall_s=1, memory_bytes=1, processes=1, disk_bytes=1 << 20, file_bytes=1 << 20, open_files=9, output_bytes=99
)
BASELINE = Baseline(pack_digest="d", box_digest="b", concurrency=1, repeats=1, taken_at="2026-11-30T00:00:00Z", runs=())


def make_pack(root: Path) -> Path:
    """The four tasks on disk."""
    for name in ENDINGS:
        repo = root / "tasks" / name / "repo"
        (repo / "lib").mkdir(parents=True)
        (repo / "app.txt").write_text(f"{name}\n")
        (repo / "lib" / "base.txt").write_text("base\n")
        (repo.parent / "prompt.md").write_text(f"Do {name}.\n")
    return root


def make_seal(pack: Path, tasks: tuple[str, ...]) -> Seal:
    """The seal of a run over some of them, with one retry for endings of the infrastructure."""
    demo = demo_envelope("small", "small", version="1")
    retry = replace(demo.policy.retry, infra=1)
    envelope = replace(
        demo,
        budget=replace(demo.budget, attempts=2, incarnations_max=99),
        policy=replace(demo.policy, retry=retry),
        run=replace(demo.run, concurrency=1),
    )
    return replace(
        SEAL,
        envelope=envelope,
        arm=envelope.arm[0],
        tasks=tuple(_sealed(pack, name) for name in tasks),
        plan=Plan(draws=tuple(Declared(draw=DrawKey(name), slice="solvable") for name in tasks)),
        causes=DEFAULT_CAUSES,
        grader_sha=GRADER_SHA,
        mounts=(),
    )


def _sealed(pack: Path, name: str) -> SealedTask:
    verify = Verify(runner="command", timeout_s=5, level="G1", command="true")
    task = Task(
        id=name, title=name, slice="solvable", expected="pass", reason="x", license="MIT", allowed=("**",), verify=verify
    )  # fmt: skip
    folder = pack / "tasks" / name
    locked = LockedTask(
        id=name,
        digest=task_digest(folder, name),
        prompt_sha256=sha256_bytes((folder / "prompt.md").read_bytes()),
        base_tree=tree_digest_of(folder / "repo"),
        hidden_tree=EMPTY_TREE,
    )
    return SealedTask(task=task, locked=locked)


@dataclass
class Seen:
    """What the world saw that the journal may not know: drafts paid for, and what should never have been asked."""

    paid: Counter[AttemptKey] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    blobs: set[str] = field(default_factory=set)

    def copy(self) -> Seen:
        """The same, to go on with elsewhere."""
        return Seen(Counter(self.paid), list(self.wrong), set(self.blobs))


class SmallAgent:
    """Asks for one draft."""

    name = "small"
    needs_gold = False

    def plan(self, task: AgentTask) -> AgentPlan:
        return AgentPlan(argv=("draft", task.key.task_id, str(task.key.attempt)))

    def version(self) -> str:
        return "1"


class SmallSandbox:
    """Drafts: no process, and every file call is a step."""

    name = "small"

    def __init__(self, simulation: Simulation, seen: Seen, journal: Journal) -> None:
        self.simulation, self.seen, self.journal = simulation, seen, journal

    def facts(self, terms: SandboxTerms) -> SandboxFacts:
        return SEAL.sandbox

    def workspace(self, folder: Path, *, role: str, slot: int, disk_bytes: int) -> Path:
        folder.mkdir()
        return folder

    def hand_over(self, folder: Path, *, role: str, slot: int) -> None:
        """Nobody else is here."""

    def discard(self, folder: Path) -> None:
        shutil.rmtree(folder)

    def close(self) -> None:
        """Nothing is kept."""

    def run(self, job: Job, stop: object = None) -> Ended:
        assert job.workdir is not None
        key = AttemptKey(RUN_ID, job.argv[-2], 1, int(job.argv[-1]))
        done = (e.checkpoint for e in self.journal.events(key) if e.kind == "checkpoint.done")
        if Checkpoint.PATCH_DRAFTED in done:
            self.seen.wrong.append(f"a durable patch was drafted again: {key.task_id} a{key.attempt}")
        self.seen.paid[key] += 1
        self.simulation.step("agent", key.task_id)
        if key.task_id != "idle":
            (job.workdir / "app.txt").write_text(f"{key.task_id}, draft {self.seen.paid[key]}\n")
            (job.workdir / "lib" / "new.txt").write_text("new\n")
        eaten = key.task_id == "hungry" and key.attempt == 1
        return _ended(KilledBy.KERNEL_OOM if eaten else KilledBy.NOBODY)


def _ended(killed_by: str) -> Ended:
    return Ended(
        exit_code=0, signal=0, killed_by=killed_by, oom=killed_by == KilledBy.KERNEL_OOM, wall_ns=1_000_000, start_ns=0,
        stdout=b"", stderr=b"", output_truncated=False, report=STARTED, enforced={},
    )  # fmt: skip


class SmallGrader:
    """Green for whatever changed the files of a task that is not `bad`; its report is the digest of the tree."""

    name = "small"

    def __init__(self, simulation: Simulation) -> None:
        self.simulation = simulation

    def digest(self) -> str:
        return GRADER_SHA

    def grade(self, order: GradeOrder, sandbox: object, stop: object = None) -> Graded:
        self.simulation.step("grader", order.task.id)
        tree = read_tree(order.tree, trusted=True)
        changed = "draft" in (order.tree / "app.txt").read_text()
        grade = "green" if changed and order.task.id != "bad" else "red"
        return Graded(
            grade=grade, why="", level="G1", stage="finished", expected=(), passed=(), failed=(), skipped=(), missing=(),
            other=(), sentinels_expected=0, sentinels_failed=0, counter_expected=0, counter_failed=0,
            grader_sha=GRADER_SHA, report=tree.digest.encode(), ended=_ended(KilledBy.NOBODY),
        )  # fmt: skip


class Silent:
    """Tells nobody."""

    def expect(self, attempts: int) -> None: ...
    def line(self, text: str) -> None: ...
    def attempt(self, key: AttemptKey, word: str, detail: Mapping[str, Json]) -> None: ...


class NoBox:
    """A run asks for no box."""

    def read(self, folder: Path, python: str) -> object:
        raise AssertionError


class SeenBlobs:
    """Blobs, and which of them were reported durable."""

    def __init__(self, inner: FolderBlobs, seen: Seen) -> None:
        self.inner, self.seen = inner, seen

    def put(self, data: bytes) -> str:
        sha = self.inner.put(data)
        self.seen.blobs.add(sha)
        return sha

    def put_file(self, path: Path) -> str:
        sha = self.inner.put_file(path)
        self.seen.blobs.add(sha)
        return sha

    def get(self, sha256: str) -> bytes:
        return self.inner.get(sha256)

    def has(self, sha256: str) -> bool:
        return self.inner.has(sha256)


@dataclass(frozen=True)
class JournalBytes:
    """A journal at one moment: its file, its write-ahead log, and how much of the log was reported durable."""

    data: bytes
    log: bytes
    durable: int

    def after_cut(self, rng: Random) -> JournalBytes:
        """What a power cut leaves.

        SQLite syncs the log before a commit returns (synchronous=FULL), so everything up to there stays; of a transaction
        that nobody has heard of any part may be there.
        """
        kept, rest = self.log[: self.durable], self.log[self.durable :]
        torn = rng.choice((0, len(rest), rng.randint(0, len(rest))))
        left = kept + rest[:torn] + rng.choice((b"", bytes(len(rest) - torn)))
        return JournalBytes(self.data, left, len(left))


class JournalFile:
    """Where a journal in SQLite lies, who has opened it, and how many bytes of its log were reported durable."""

    def __init__(self, folder: Path, start: JournalBytes) -> None:
        folder.mkdir(parents=True)
        self.path, self.log = folder / "journal.db", folder / "journal.db-wal"
        self.path.write_bytes(start.data)
        if start.log:
            self.log.write_bytes(start.log)
        self.durable = len(start.log)
        self.opened: list[SqliteJournal] = []

    def reported(self) -> None:
        """A call came back: all that is in the log now is durable."""
        self.durable = self.log.stat().st_size if self.log.exists() else 0

    def frozen(self) -> JournalBytes:
        """As it is at this moment."""
        return JournalBytes(self.path.read_bytes(), self.log.read_bytes() if self.log.exists() else b"", self.durable)

    def close(self, simulation: Simulation) -> None:
        """Nobody uses it any more."""
        simulation.bury()
        for one in self.opened:
            one.close()
        self.opened = []
