"""A storm: one run, interrupted as a seed says, resumed to its end, and looked at after every interruption."""

from __future__ import annotations

import atexit
import os
import re
import shutil
import subprocess
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from random import Random
from unittest.mock import patch

from denominator.adapters.failpoints import NoFailpoints
from denominator.adapters.store import file_lock, lease
from denominator.adapters.store.blobs import FolderBlobs
from denominator.adapters.store.sqlite import SqliteJournal
from denominator.errors import DenominatorError, DuplicateError, FencedError, RunInUseError
from denominator.pipeline.attempt import Turn, run_attempt
from denominator.pipeline.engine import StopFlag
from denominator.pipeline.promises import promise_plan
from denominator.pipeline.run import open_promises, run_all
from denominator.pipeline.world import OpenRun, World
from denominator.records.events import Event
from denominator.records.keys import AttemptKey
from denominator.records.seals import Seal
from denominator.run.layout import RunFolder
from denominator.testing.disk import KINDS, ForgetfulDisk, FrozenDisk
from denominator.testing.simulation import (
    CUT,
    FULL,
    KILL,
    Process,
    SimulatedClock,
    SimulatedFailpoints,
    SimulatedJournal,
    Simulation,
)
from simulation.invariants import after_a_crash, at_the_end, said_done
from simulation.small_world import (
    BASELINE,
    ENDINGS,
    RUN_ID,
    JournalBytes,
    JournalFile,
    NoBox,
    Seen,
    SeenBlobs,
    Silent,
    SmallAgent,
    SmallGrader,
    SmallSandbox,
    make_pack,
    make_seal,
)

FORMS = ("alone", "in turn", "at once", "delivered twice", "out of sight")
"""One process; two resumers that see each other; two of other pid namespaces on a file system without locks, which do not;
workers that get each job twice; two resumers of other pid namespaces, whom the lock of the run keeps apart."""
CLAIM_S = 0.05
"""A claim that is over long before an attempt is: both deliveries of one job get to work."""
AGAIN = 0.3
"""How often a storm that went well is resumed once more and its power cut."""
BRANCHES = 8
"""Storms that share their first round up to their first crash: it is played once."""


@dataclass(frozen=True, slots=True)
class Crash:
    """At which step of its round, and what: a process is killed, the power goes, or the disk is full for some steps."""

    step: int
    how: str


@dataclass(frozen=True, slots=True)
class Storm:
    """Everything that decides what happens."""

    seed: int
    tasks: tuple[str, ...]
    disk: str
    form: str
    crashes: tuple[Crash, ...] = ()
    edit: bool = False

    @property
    def branches(self) -> bool:
        """Does its first crash end every process, so that storms with other crashes may share what came before?"""
        first = self.crashes[0].how if self.crashes else FULL
        return first == CUT or (first == KILL and self.form == "alone")

    @property
    def was_full(self) -> bool:
        """Was there no room at some time?"""
        return any(crash.how == FULL for crash in self.crashes)


@dataclass(slots=True)
class Report:
    """What happened: violations (none: all held), steps, where processes died, failpoints passed."""

    storm: Storm
    wrong: list[str] = field(default_factory=list)
    steps: int = 0
    switches: int = 0
    died_at: list[str] = field(default_factory=list)
    failpoints: Counter[str] = field(default_factory=Counter)
    unknown: int = 0


def storms_of(seed: int) -> list[Storm]:
    """The storms of a seed: one run, its first crash at several places."""
    rng = Random(seed)
    tasks = tuple(rng.sample(sorted(ENDINGS), rng.choice((1, 1, 1, 1, 2))))
    form = rng.choices(FORMS, (6, 1, 2, 3, 1))[0]
    whole, disk = steps_of(tasks, form), rng.choice(KINDS)
    return [
        Storm(seed, tasks, disk, form, _crashes(rng, whole, form), edit=rng.random() < 0.1)
        for _ in range(BRANCHES if form == "alone" else BRANCHES // 2)
    ]


def _crashes(rng: Random, whole: int, form: str) -> tuple[Crash, ...]:
    many = rng.choice((1, 1, 1, 1, 2, 3))
    return tuple(Crash(rng.randint(1, whole), rng.choice((KILL, KILL, CUT, CUT, CUT, FULL))) for _ in range(many))


def at_every_step(how: str, disk: str, every: int = 1, *, edit: bool = False) -> list[Storm]:
    """The smallest run, its one crash at each of its steps (or at each n-th), the last ones first."""
    steps = range(steps_of(("good",), "alone"), 0, -every)
    return [Storm(step, ("good",), disk, "alone", (Crash(step, how),), edit) for step in steps]


@cache
def steps_of(tasks: tuple[str, ...], form: str) -> int:
    """How many steps a first round without a crash takes, so that crashes fall into it."""
    with _place() as place:
        found = _begun(Storm(0, tasks, KINDS[0], form), place)
        with found.running():
            found.round(None)
        found.close()
    assert not found.report.wrong, found.report.wrong
    return found.report.steps


@cache
def _pack() -> Path:
    place = Path(tempfile.mkdtemp(prefix="denominator-storm-pack-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    return make_pack(place)


@cache
def _seal(tasks: tuple[str, ...]) -> Seal:
    return make_seal(_pack(), tasks)


@cache
def _empty_journal() -> JournalBytes:
    path = _pack() / "empty.db"
    SqliteJournal(path, RUN_ID, SimulatedClock(Simulation(0)), NoFailpoints(), create=True).close()
    return JournalBytes(path.read_bytes(), b"", 0)


@dataclass(frozen=True)
class Moment:
    """Everything that a round has brought about at one of its steps, the processes' memory apart."""

    disk: FrozenDisk
    journal: JournalBytes
    seen: Seen
    reported: list[Event]
    now_ns: int
    boot: int
    pids: int
    at: str


def _begun(storm: Storm, place: Path) -> Weather:
    """A storm before its first step. Deliveries need promises: somebody has made them before."""
    (place / "disk" / "run" / "blobs").mkdir(parents=True)
    simulation = Simulation(storm.seed)
    found = Weather(storm, place, simulation, _empty_journal(), Seen(), [])
    if storm.form == "delivered twice":
        promise_plan(NoFailpoints(), found.opened(Process("first", 1, lambda _: None)))
    return found


def _after(storm: Storm, moment: Moment, place: Path) -> Weather:
    """A storm after its first crash, which came at that moment."""
    crash = storm.crashes[0]
    simulation = Simulation(storm.seed * 1_000_003 + crash.step * 2 + (crash.how == CUT))
    simulation.now_ns, simulation.pids = moment.now_ns, moment.pids
    simulation.boot = moment.boot + (crash.how == CUT)
    journal, root = moment.journal, place / "disk"
    if crash.how == CUT:
        moment.disk.after_cut(root, simulation.rng)
        journal = journal.after_cut(simulation.rng)
    else:
        moment.disk.as_it_was(root)
    found = Weather(storm, place, simulation, journal, moment.seen.copy(), list(moment.reported))
    found.report.died_at.append(moment.at)
    if crash.how == KILL:
        found.disk.forget(moment.disk)
    return found


def no_lock(fd: int, shared: bool) -> None:
    """A file system that has no locks: everybody is let through."""
    del fd, shared


class Weather:
    """The state of one storm."""

    def __init__(
        self,
        storm: Storm,
        place: Path,
        simulation: Simulation,
        journal: JournalBytes,
        seen: Seen,
        reported: list[Event],
    ) -> None:
        self.storm, self.place, self.simulation = storm, place, simulation
        self.seal = _seal(storm.tasks)
        self.root = place / "disk"
        self.disk = ForgetfulDisk(self.root, storm.disk, self.simulation.step)
        self.file = JournalFile(place / "journal", journal)
        self.seen, self.reported = seen, reported
        self.report = Report(storm)
        self.edited: tuple[Path, bytes] | None = None
        self.cuts = 0

    @contextmanager
    def running(self) -> Iterator[None]:
        """File calls, process ids and random bytes are the storm's until the end of the block."""
        with (
            self.disk.watched(),
            self.simulation.active(),
            patch.object(lease, "start_time", self.simulation.start_time),
            patch.object(file_lock, "_locked", no_lock if self.storm.form == "at once" else file_lock._locked),
        ):
            yield

    def moment(self, at: str) -> Moment:
        """Now."""
        simulation = self.simulation
        return Moment(
            self.disk.frozen(), self.file.frozen(), self.seen.copy(), list(self.reported), simulation.now_ns,
            simulation.boot, simulation.pids, self._named(at),
        )  # fmt: skip

    def _named(self, at: str) -> str:
        """A step without what differs from storm to storm."""
        return re.sub(r"[0-9a-f]{30,}", "*", at.replace(f"{self.root}/", ""))

    def opened(self, process: Process | None = None, scratch: str = "") -> OpenRun:
        """The run as one process opens it; without one, for looking only."""
        points = NoFailpoints() if process is None else SimulatedFailpoints(self.simulation)
        inner = SqliteJournal(self.file.path, RUN_ID, SimulatedClock(self.simulation), points)
        self.file.opened.append(inner)
        folder = RunFolder(self.root / "run", self.root / scratch if scratch else None)
        blobs = FolderBlobs(folder.blobs, points)
        return OpenRun(
            run_id=RUN_ID, seal=self.seal, seal_digest="s", folder=folder, pack_root=_pack(), agent=SmallAgent(), place=scratch,
            journal=inner if process is None else SimulatedJournal(
                inner, self.simulation, process, self.reported, self.file.reported
            ),
            blobs=blobs if process is None else SeenBlobs(blobs, self.seen),
        )  # fmt: skip

    def world(self, run: OpenRun) -> World:
        """The machine of one process."""
        return World(
            clock=SimulatedClock(self.simulation), sandbox=SmallSandbox(self.simulation, self.seen, run.journal),
            grader=SmallGrader(self.simulation), box=NoBox(), failpoints=SimulatedFailpoints(self.simulation),
            reporter=Silent(),
        )  # fmt: skip

    def resumer(self, process: Process) -> int:
        """`denominator resume` in one process: its exit code."""
        run = self.opened(process)
        try:
            return int(run_all(self.world(run), [run], BASELINE, StopFlag()).exit)
        except RunInUseError:
            return 2

    def worker(self, process: Process) -> None:
        """A worker that gets every open attempt delivered, in an order of its own, and works in a scratch that nobody had before."""
        run = self.opened(process, f"{process.name}-{process.pid}")
        keys = open_promises(run)
        for key in Random(f"{self.storm.seed} {process.name}").sample(keys, len(keys)):
            self._deliver(run, key)

    def _deliver(self, run: OpenRun, key: AttemptKey) -> None:
        claim = run.journal.claim(key, CLAIM_S)
        if claim is None:
            return
        world = self.world(run)
        try:
            run_attempt(world, run, key, Turn(slot=0, cold=False, ready_ns=0), StopFlag())
        except (FencedError, DuplicateError):
            return
        run.journal.release(claim)

    def round(self, crash: Crash | None, *, calm: bool = False) -> list[Process]:
        """Processes until all have ended or died; then what a power cut makes of the disk."""
        self.simulation.die_at, self.simulation.how = (crash.step, crash.how) if crash else (0, KILL)
        self.simulation.full_for = self.simulation.rng.choice((1, 3, 30))
        form = "alone" if calm else self.storm.form
        if form == "delivered twice":
            processes = self.simulation.run(("w1", self.worker), ("w2", self.worker), apart=True)
        elif form == "alone":
            processes = self.simulation.run(("one", self.resumer))
        else:
            apart = form in ("at once", "out of sight")
            processes = self.simulation.run(("one", self.resumer), ("two", self.resumer), apart=apart)
        died = any(process.dead for process in processes)
        if died or self.simulation.how == FULL:
            self.report.died_at.append(self._named(self.simulation.stopped_at))
        if died and self.simulation.how == CUT:
            self.cut()
        self.report.steps += self.simulation.steps
        if 0 in [one.result for one in processes] and not died:
            self.report.wrong += said_done(self.opened())
        raised = [one for one in processes if one.error is not None and not self.harmless(one.error)]
        self.report.wrong += [f"{one.name} raised {_where(one.error)}" for one in raised if one.error]
        return processes

    def harmless(self, error: BaseException) -> bool:
        """Two that work in one folder and do not see each other stumble over each other: loudly, and nothing is lost."""
        return self.storm.form == "at once" and isinstance(error, OSError | DenominatorError)

    def look(self) -> None:
        """The invariants, as the disk and the journal stand."""
        self.report.wrong += after_a_crash(self.opened(), self.reported, self.seen, edited=self.edited is not None)

    def cut(self) -> None:
        """The power goes; nobody is left."""
        self.disk.cut(self.simulation.rng)
        left = self.file.frozen().after_cut(self.simulation.rng)
        self.file.close(self.simulation)
        self.cuts += 1
        self.file = JournalFile(self.place / f"journal-{self.cuts}", left)

    def go_on(self, crashes: tuple[Crash, ...]) -> None:
        """What comes after: further crashes, a person's edit, the resume that ends it, one more."""
        for crash in crashes:
            self.round(crash)
            self.look()
            if self.report.wrong:
                return
        if self.storm.edit:
            self.edit()
        codes = [one.result for one in self.round(None, calm=True)]
        if self.edited is not None:
            self.unedit(codes)
            codes = [one.result for one in self.round(None, calm=True)]
        self.look()
        self.report.wrong += at_the_end(
            self.opened(), codes[0], self.seen, blind=self.storm.form == "at once", full=self.storm.was_full
        )
        if not self.report.wrong and self.simulation.rng.random() < AGAIN:
            self.again()

    def edit(self) -> None:
        """A person changes an applied tree that waits for its grade."""
        run = self.opened()
        applied = (run.folder.attempt(key) / "applied" / "app.txt" for key in open_promises(run))
        for tree in filter(Path.is_file, applied):
            self.edited = (tree, tree.read_bytes())
            tree.write_text("edited by hand\n")
            self.disk.settle()
            return

    def unedit(self, codes: list[object]) -> None:
        """The edit was seen, nothing was touched; the person takes it back."""
        assert self.edited is not None
        path, before = self.edited
        self.report.unknown += 1
        if codes != [5] or not path.is_file() or path.read_text() != "edited by hand\n":
            self.report.wrong.append(f"a foreign edit was not an unknown state: exit {codes}")
            return
        path.write_bytes(before)
        self.disk.settle()

    def again(self) -> None:
        """A second resume changes nothing but its own start and stop; what was reported done outlives the power."""
        before, events = self._files(), [e.sha for e in self.opened().journal.events() if e.key is not None]
        self.round(None, calm=True)
        self.cut()
        self.look()
        if [e.sha for e in self.opened().journal.events() if e.key is not None] != events:
            self.report.wrong.append("a second resume wrote about attempts")
        now = self._files()
        if changed := sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name)):
            self.report.wrong.append(f"a second resume, or a power cut after it, changed {', '.join(changed)}")

    def _files(self) -> dict[str, bytes]:
        """What a run keeps beside its blobs (`look` asks after those that were reported or named).

        Scratch whose removal was not synced may come back: nobody was told that it is gone.
        """
        run = self.root / "run"
        return {
            str(path.relative_to(run)): path.read_bytes()
            for path in run.rglob("*")
            if path.is_file()
            and not path.name.startswith(".")
            and path.name != "run.log"
            and not {run / "work", run / "blobs"} & {*path.parents}
        }

    def close(self) -> Report:
        """Close what is open."""
        self.file.close(self.simulation)
        self.report.failpoints, self.report.switches = self.simulation.failpoints, self.simulation.switches
        return self.report


def _where(error: BaseException) -> str:
    """An error and the lines that led to it."""
    frames = traceback.extract_tb(error.__traceback__)[-4:]
    return f"{error!r} at {' < '.join(f'{Path(f.filename).name}:{f.lineno}' for f in reversed(frames))}"


@contextmanager
def _place() -> Iterator[Path]:
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="denominator-storm-", dir=memory if memory.is_dir() else None) as name:
        yield Path(name)


def play(*storms: Storm) -> list[Report]:
    """Play storms of one seed, or of one process; those whose first crash ends everything share the round before it."""
    wanted = {storm.crashes[0].step for storm in storms if storm.branches}
    moments = _moments(storms[0], wanted) if wanted else {}
    return [_played(storm, moments.get(storm.crashes[0].step) if storm.branches else None) for storm in storms]


def _moments(storm: Storm, wanted: set[int]) -> dict[int, Moment]:
    """The first round, looked at from outside at these steps."""
    moments: dict[int, Moment] = {}
    with _place() as place:
        found = _begun(storm, place)

        def watch(step: int, at: str) -> None:
            if step in wanted:
                moments[step] = found.moment(at)

        found.simulation.watch = watch
        with found.running():
            found.round(None)
        found.close()
    return moments


def _played(storm: Storm, moment: Moment | None) -> Report:
    """One storm to its end; without a moment its first crash has to be played too."""
    with _place() as place:
        found = _begun(storm, place) if moment is None else _after(storm, moment, place)
        with found.running():
            if moment is not None:
                found.look()
            if not found.report.wrong:
                found.go_on(storm.crashes if moment is None else storm.crashes[1:])
        return found.close()


def shrunk(report: Report) -> Report:
    """A smaller storm that goes wrong in the same way: fewer crashes, fewer tasks, one process, an earlier step."""
    changed = True
    while changed:
        changed = False
        for smaller in _smaller(report.storm):
            (again,) = play(smaller)
            if again.wrong:
                report, changed = again, True
                break
    return report


def _smaller(storm: Storm) -> Iterator[Storm]:
    for n in range(len(storm.crashes)):
        yield replace(storm, crashes=storm.crashes[:n] + storm.crashes[n + 1 :])
    if len(storm.tasks) > 1:
        for task in storm.tasks:
            yield replace(storm, tasks=(task,))
    if storm.edit:
        yield replace(storm, edit=False)
    if storm.form != "alone":
        yield replace(storm, form="alone")
    for n, crash in enumerate(storm.crashes):
        for step in {crash.step // 2, crash.step - 1} - {0}:
            yield replace(storm, crashes=(*storm.crashes[:n], replace(crash, step=step), *storm.crashes[n + 1 :]))


def commit() -> str:
    """The commit that is tested."""
    here = Path(__file__).parent
    told = subprocess.run(["git", "-C", str(here), "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    return told.stdout.strip() or "unknown"


def how_to_replay(report: Report) -> str:
    """What a person types to see it again."""
    storm = report.storm
    return "\n".join(
        [
            f"seed {storm.seed} of commit {commit()}: {storm.form}, disk {storm.disk}, tasks {', '.join(storm.tasks)}",
            *(
                f"  {crash.how} at step {crash.step} ({at})"
                for crash, at in zip(storm.crashes, report.died_at, strict=False)
            ),
            *(f"  wrong: {text}" for text in report.wrong),
            f"  again: DENOMINATOR_SIMULATION_SEED={storm.seed} pytest tests/simulation/test_storms.py",
        ]
    )


def wanted_number(default: int) -> int:
    """How many storms are asked for."""
    return int(os.environ.get("DENOMINATOR_SIMULATIONS", "") or default)
