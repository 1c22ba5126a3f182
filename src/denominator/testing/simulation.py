"""Processes that exist in one Python only: a seed decides who goes on at each step, who dies where, and what time it is.

A process is a function in a thread of its own (threads that it starts belong to it). At each step (`Simulation.step`: a
file call of `testing.disk`, a failpoint, a call of the journal) the baton may go to another process; a process that
is to die raises `Died` there, and again at whatever it still tries: nothing of it happens any more. Same seed, same order.
"""

from __future__ import annotations

import errno
import os
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from unittest.mock import patch

from denominator.catalog.failpoints import AFTER_COMMIT, BEFORE_COMMIT, FAILPOINTS
from denominator.ports import Journal
from denominator.records.claims import Claim
from denominator.records.events import Draft, Event
from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow

FIRST_PID = 1 << 23
"""No process of a real machine has such a number."""
BEGIN = datetime(2026, 11, 30, tzinfo=UTC)
KILL, CUT, FULL = "kill", "cut", "full"
NEEDS_ROOM = ("create", "mkdir", "fsync", "link", "symlink", "rename")


INSIDE: Mapping[tuple[str, str], tuple[str, ...]] = {
    (opener, at): tuple(point.name for point in FAILPOINTS if (point.opener, point.at) == (opener, at))
    for opener, at in dict.fromkeys((point.opener, point.at) for point in FAILPOINTS if point.opener)
}
"""What the journal's own two points stand for, by the point that was hit last before the commit."""


class Died(BaseException):
    """The simulated process is dead: nothing may catch this."""


@dataclass(eq=False)
class Process:
    """One simulated process: what it does, whether it is alive, how it ended."""

    name: str
    pid: int
    work: Callable[[Process], object]
    apart: bool = False
    dead: bool = False
    over: bool = False
    inside: int = 0
    result: object = None
    error: BaseException | None = None
    turn: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))

    @property
    def alive(self) -> bool:
        """Can it still do anything?"""
        return not (self.dead or self.over)


class Simulation:
    """A machine with simulated processes. `die_at` is the step at which it happens, `how` what.

    That is kill (one process dies), cut (all do) or full: nobody dies, but for `full_for` steps the disk has no room.
    `watch` is told the number of each step and what is about to happen.
    """

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)  # noqa: S311 (a seed decides what happens)
        self.processes: list[Process] = []
        self.now_ns, self.boot, self.pids = 0, 1, FIRST_PID
        self.steps, self.die_at, self.how = 0, 0, KILL
        self.stopped_at, self.full_for = "", 1
        self.watch: Callable[[int, str], None] | None = None
        self.failpoints: Counter[str] = Counter()
        self.switches = 0
        self.left_behind: list[AbstractContextManager[None]] = []

    def bury(self) -> None:
        """Let go of leases that the dead held; nothing is given back. Before their connections are closed."""
        for lease in self.left_behind:
            lease.__exit__(None, None, None)
        self.left_behind = []

    def step(self, what: str, where: str = "") -> None:
        """Something is about to happen: perhaps not, or somebody else goes first."""
        me = getattr(threading.current_thread(), "simulated", None)
        if me is None:
            return
        self._live(me)
        self.steps += 1
        self.now_ns += 1_000_000
        if self.watch is not None:
            self.watch(self.steps, f"{what} {where}".rstrip())
        if self.how == FULL and 0 < self.die_at <= self.steps < self.die_at + self.full_for and what in NEEDS_ROOM:
            self.stopped_at = f"{what} {where}".rstrip()
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), where)
        if self.steps == self.die_at and self.how != FULL:
            self.stopped_at = f"{what} {where}".rstrip()
            for one in self.processes if self.how == CUT else [me]:
                one.dead = True
        self._live(me)
        if len(self.processes) > 1 and not me.inside:
            self._hand_over(me, self.rng.choice([one for one in self.processes if one.alive]))
            self._live(me)

    def run(self, *works: tuple[str, Callable[[Process], object]], apart: bool = False) -> list[Process]:
        """Run processes until each has ended or died. `apart`: they do not see each other's process ids."""
        self.processes = [Process(name, self._pid(), work, apart) for name, work in works]
        self.steps = 0
        threads = [threading.Thread(target=self._whole, args=(one,), name=one.name) for one in self.processes]
        for thread, process in zip(threads, self.processes, strict=True):
            thread.simulated = process  # type: ignore[attr-defined]
            thread.start()
        self.rng.choice(self.processes).turn.release()
        for thread in threads:
            thread.join()
        if self.how == CUT and any(one.dead for one in self.processes):
            self.boot += 1
        return self.processes

    @property
    def boot_id(self) -> str:
        """Another one after each power cut."""
        return f"boot-{self.boot}"

    def _pid(self) -> int:
        self.pids += 1
        return self.pids

    def _whole(self, me: Process) -> None:
        me.turn.acquire()
        try:
            self._live(me)
            me.result = me.work(me)
        except Died:
            pass
        except BaseException as error:
            me.error = error
        me.over = True
        self._next()

    def _next(self) -> None:
        """Somebody who has not ended goes on; the dead do, to notice it."""
        waiting = [one for one in self.processes if not one.over]
        if waiting:
            self.rng.choice(waiting).turn.release()

    def _hand_over(self, me: Process, to: Process) -> None:
        if to is not me:
            self.switches += 1
            to.turn.release()
            me.turn.acquire()

    @staticmethod
    def _live(me: Process) -> None:
        if me.dead:
            raise Died

    @contextmanager
    def active(self) -> Iterator[Simulation]:
        """Threads inherit their process, process ids and random bytes are simulated ones, the dead die silently."""
        start, getpid, urandom = threading.Thread.start, os.getpid, os.urandom

        def begin(thread: threading.Thread) -> None:
            if not hasattr(thread, "simulated"):
                thread.simulated = getattr(threading.current_thread(), "simulated", None)  # type: ignore[attr-defined]
            start(thread)

        def pid() -> int:
            me = getattr(threading.current_thread(), "simulated", None)
            return getpid() if me is None else int(me.pid)

        def random_bytes(size: int) -> bytes:
            me = getattr(threading.current_thread(), "simulated", None)
            return urandom(size) if me is None else self.rng.randbytes(size)

        def hook(args: threading.ExceptHookArgs) -> None:
            if not issubclass(args.exc_type, Died):
                threading.__excepthook__(args)

        with (
            patch.object(threading.Thread, "start", begin),
            patch.object(os, "getpid", pid),
            patch.object(os, "urandom", random_bytes),
            patch.object(threading, "excepthook", hook),
        ):
            yield self

    def start_time(self, pid: int) -> str:
        """In the place of /proc: when a process began, or `unknown` where it is dead or out of sight."""
        me = getattr(threading.current_thread(), "simulated", None)
        seen = (one for one in self.processes if one.alive and (one is me or not one.apart))
        return next((f"start-{one.pid}" for one in seen if one.pid == pid), "unknown")


class SimulatedClock:
    """`ports.Clock` of a simulation."""

    def __init__(self, simulation: Simulation) -> None:
        self.simulation = simulation

    @property
    def boot_id(self) -> str:
        """The boot that the simulation is in."""
        return self.simulation.boot_id

    def mono_ns(self) -> int:
        """Nanoseconds; each question takes a microsecond."""
        self.simulation.now_ns += 1000
        return self.simulation.now_ns

    def wall(self) -> str:
        """UTC, ISO 8601 with milliseconds."""
        stamp = BEGIN + timedelta(microseconds=self.simulation.now_ns // 1000)
        return stamp.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def sleep(self, seconds: float) -> None:
        """Time passes, and others may go on."""
        self.simulation.now_ns += int(seconds * 1e9)
        self.simulation.step("sleep")


class SimulatedFailpoints:
    """`ports.Failpoints` at which a simulated process may die; counts those that were passed, inside commits too."""

    armed: tuple[str, ...] = ()

    def __init__(self, simulation: Simulation) -> None:
        self.simulation = simulation
        self.opener = ""

    def hit(self, name: str) -> None:
        """One step."""
        names = INSIDE.get((self.opener, name), (name,))
        if name not in (BEFORE_COMMIT, AFTER_COMMIT):
            self.opener = name
        elif name == AFTER_COMMIT:
            self.opener = ""
        self.simulation.failpoints.update(names)
        self.simulation.step("failpoint", names[0])


class SimulatedJournal:
    """A journal whose calls are steps. `reported` is every event that an `append` has said to be durable.

    `on_durable` is told after each call that came back: what the journal holds then is there for ever. No other process
    goes on inside a call, but the caller may die there.
    """

    def __init__(
        self,
        inner: Journal,
        simulation: Simulation,
        process: Process,
        reported: list[Event],
        on_durable: Callable[[], None],
    ) -> None:
        self.inner, self.simulation, self.process = inner, simulation, process
        self.reported, self.on_durable = reported, on_durable
        self.run_id = inner.run_id

    @contextmanager
    def _call(self, name: str) -> Iterator[None]:
        self.simulation.step("journal", name)
        self.process.inside += 1
        try:
            yield
        finally:
            self.process.inside -= 1
        self.on_durable()

    def append(self, *drafts: Draft) -> list[Event]:
        """Append, and remember what was reported."""
        with self._call("append"):
            events = self.inner.append(*drafts)
        self.reported += events
        return events

    def events(self, key: AttemptKey | None = None, after: int = 0) -> Iterator[Event]:
        """As the journal says."""
        return self.inner.events(key, after)

    def put_calls(self, *rows: CallRow) -> None:
        """Append calls."""
        with self._call("put_calls"):
            self.inner.put_calls(*rows)

    def calls(self, key: AttemptKey | None = None) -> Iterator[CallRow]:
        """As the journal says."""
        return self.inner.calls(key)

    def claim(self, key: AttemptKey, seconds: float) -> Claim | None:
        """Claim an attempt."""
        with self._call("claim"):
            return self.inner.claim(key, seconds)

    def renew(self, claim: Claim, seconds: float) -> bool:
        """Hold it for longer."""
        with self._call("renew"):
            return self.inner.renew(claim, seconds)

    def release(self, claim: Claim) -> None:
        """Give it back."""
        with self._call("release"):
            self.inner.release(claim)

    def verify(self) -> list[str]:
        """Walk the chain."""
        return self.inner.verify()

    @contextmanager
    def lease(self) -> Iterator[None]:
        """Hold the run; a process that died never gives it back."""
        lease: AbstractContextManager[None]
        with self._call("lease"):
            lease = self.inner.lease()
            lease.__enter__()
        try:
            yield
        finally:
            if self.process.dead:
                self._let_go()
                self.simulation.left_behind.append(lease)
            else:
                self._give_back(lease)

    def _give_back(self, lease: AbstractContextManager[None]) -> None:
        try:
            with self._call("unlease"):
                lease.__exit__(None, None, None)
        except Died:
            self._let_go()
            self.simulation.left_behind.append(lease)
            raise

    def _let_go(self) -> None:
        """A kernel takes the locks of a dead process from it."""
        held = getattr(self.inner, "held", None)
        if held is not None:
            held.release()

    def close(self) -> None:
        """Left open: a process that dies closes nothing."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


def told(counts: Mapping[str, int]) -> str:
    """Counts on one line, by name."""
    return ", ".join(f"{name} {number}" for name, number in sorted(counts.items()))
