"""Attempts carried by workers elsewhere: the slot thread submits an order and waits; the journal says what was done.

An engine delivers at least once, or not at all. So an answer only says when to look: an attempt that is not closed is
ordered again, by whoever is free, until it is. A worker that died costs one incarnation; its claim runs out by itself.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeVar

from denominator._version import __version__
from denominator.errors import DenominatorError, OpenPromisesError
from denominator.pipeline.applying import UnknownAttemptError
from denominator.pipeline.attempt import Turn
from denominator.pipeline.notes import Notes, StoppedError
from denominator.pipeline.orders import Answer, Order, Word, WorkerError, read_answer, written
from denominator.pipeline.world import OpenRun, World
from denominator.ports import Carried, Stop, Workers
from denominator.records.events import Draft
from denominator.records.keys import AttemptKey
from denominator.records.words import Phase, Writer
from denominator.run.progress import Progress, read_progress

T = TypeVar("T")
POLL_S = 0.2
END_WITHIN_S = 30.0
"""How long a worker that was told to stop is waited for. What it holds stays open in any case."""
AWAY_S = 120.0
"""How long the journal may be away (its database restarts) before the run stops, to be resumed."""
IN_VAIN = 20
"""Orders of one attempt in a row that came to nothing without a new incarnation."""
NS = 1_000_000_000


@dataclass(slots=True)
class Far:
    """`Carrier` over an engine. `runs` names each run as workers find it; `claim_s` is how long a claim holds unrenewed."""

    workers: Workers
    runs: Mapping[str, str]
    claim_s: float
    told: set[str] = field(default_factory=set)
    began: dict[str, int] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def carry(self, world: World, run: OpenRun, key: AttemptKey, turn: Turn, stop: Stop) -> Progress:
        """Order the attempt until the journal says that it has ended."""
        state = self._state(world, run, key, stop)
        vain = 0
        while state.open:
            answer = self._ordered(world, run, state, turn, stop)
            after = self._state(world, run, key, stop)
            vain = 0 if after.incarnation > state.incarnation or answer.word == Word.HELD else vain + 1
            state = after
            if state.open:
                self._next(world, run, key, answer, stop, vain)
        return state

    def _state(self, world: World, run: OpenRun, key: AttemptKey, stop: Stop) -> Progress:
        return patiently(world, stop, lambda: read_progress(run.journal.events(key))[key])

    def _ordered(self, world: World, run: OpenRun, state: Progress, turn: Turn, stop: Stop) -> Answer:
        """One order, and its answer."""
        key = state.key
        if stop.is_set():
            raise StoppedError
        order = Order(
            key=key,
            slot=turn.slot,
            waited_ms=(world.clock.mono_ns() - turn.ready_ns) // 1_000_000,
            since=self._began(world, run, stop),
            claim_ms=int(self.claim_s * 1000),
            version=__version__,
        )
        ticket = self.workers.submit(self.runs[run.run_id], written(order))
        carried = self._awaited(world, run, state, ticket, stop)
        if carried.lost:
            world.reporter.line(f"{_named(key)}: no answer from its worker: {carried.lost}")
            return Answer(word=Word.STOPPED, what=carried.lost)
        return read_answer(carried.answer)

    def _awaited(self, world: World, run: OpenRun, state: Progress, ticket: str, stop: Stop) -> Carried:
        """What became of an order; StoppedError when the run is to stop and nothing more can be waited for."""
        # Looked at more often than a claim lasts, so that one that was never renewed is seen while it holds.
        every = int(self.claim_s * NS / 2)
        until, look_at, watch = 0, world.clock.mono_ns() + every, Watch(run, state)
        while True:
            carried = self.workers.poll(ticket, POLL_S)
            if carried is not None:
                return carried
            now = world.clock.mono_ns()
            if stop.is_set() and not until:
                until = now + int(END_WITHIN_S * NS)
                self._tell(run, stop)
                self.workers.cancel(ticket)
            if until and now >= until:
                raise StoppedError
            if now >= look_at:
                look_at = now + every
                if watch.abandoned():
                    self.workers.cancel(ticket)
                    return Carried(lost="its worker went silent and its claim ran out")

    def _tell(self, run: OpenRun, stop: Stop) -> None:
        """The flag that workers of this run look for, once: also those that the engine no longer reaches."""
        with self.lock:
            first = run.run_id not in self.told
            self.told.add(run.run_id)
        if first:
            payload = {"why": str(getattr(stop, "why", "") or "stopped")}
            with suppress(DenominatorError, OSError):
                run.journal.append(
                    Draft(kind="run.stopping", phase=Phase.RUN, writer=Writer.HARNESS, payload=dict(payload))
                )

    def _began(self, world: World, run: OpenRun, stop: Stop) -> int:
        """The event that began this process's part of the run."""
        if run.run_id not in self.began:
            events = patiently(world, stop, lambda: run.journal.standing().of_run)
            self.began[run.run_id] = max((e.seq for e in events if e.kind == "run.started"), default=0)
        return self.began[run.run_id]

    def _next(self, world: World, run: OpenRun, key: AttemptKey, answer: Answer, stop: Stop, vain: int) -> None:
        """After an order that left the attempt open: stop, raise what no attempt may swallow, or wait and go on."""
        if answer.word == Word.ERROR:
            raise WorkerError(answer)
        if answer.word == Word.UNKNOWN_STATE:
            raise UnknownAttemptError(Notes(run, key, 0, world.clock, 0), dict(answer.payload))
        if vain >= IN_VAIN:
            raise OpenPromisesError(
                f"{vain} orders in a row came to nothing: {answer.what or answer.word}",
                where=self.workers.name,
                fix=f"look at the workers, then denominator resume {run.run_id}",
            )
        pause = min(self.claim_s / 4, POLL_S * 2 ** min(vain, 8)) if answer.word != Word.HELD else self.claim_s / 4
        waited(world, stop, pause)


@dataclass(slots=True)
class Watch:
    """Looks after the attempt of one order: an engine may never say that a worker is gone.

    `seen` is whether somebody was found to hold it: a worker may fall silent before it has written that it began.
    """

    run: OpenRun
    before: Progress
    seen: bool = False

    def abandoned(self) -> bool:
        """Did somebody take the attempt after `before`, and hold it no longer?"""
        key = self.before.key
        try:
            state = read_progress(self.run.journal.events(key))[key]
            if state.closed:
                return False
            claim = self.run.journal.claim(key, 1.0)
            if claim is None:
                self.seen = True
                return False
            self.run.journal.release(claim)
            return self.seen or state.incarnation > self.before.incarnation
        except OpenPromisesError:
            return False


def patiently(world: World, stop: Stop, read: Callable[[], T]) -> T:
    """Read the journal; while it is away, wait for it for a while."""
    until = world.clock.mono_ns() + int(AWAY_S * NS)
    while True:
        try:
            return read()
        except OpenPromisesError:
            if stop.is_set():
                raise StoppedError from None
            if world.clock.mono_ns() >= until:
                raise
        waited(world, stop, 1.0)


def waited(world: World, stop: Stop, seconds: float) -> None:
    """Let time pass unless the run is to stop."""
    until = world.clock.mono_ns() + int(seconds * NS)
    while not stop.is_set() and world.clock.mono_ns() < until:
        world.clock.sleep(min(POLL_S, seconds))


def _named(key: AttemptKey) -> str:
    return f"{key.task_id} r{key.repeat} a{key.attempt}"
