"""Orders that engines double and lose, claims that run out, workers that go on too long: nothing happens twice."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from uuid import uuid4

import pytest

from denominator._version import __version__
from denominator.errors import OpenPromisesError
from denominator.pipeline.carrier_far import Far, Watch
from denominator.pipeline.carrier_worker import Seen, work
from denominator.pipeline.engine import StopFlag
from denominator.pipeline.orders import Answer, Order, Word, read_order, written
from denominator.pipeline.promises import promise_plan
from denominator.pipeline.run import RunResult, open_promises, read_ledger, run_all
from denominator.pipeline.world import OpenRun
from denominator.ports import Carried
from denominator.records.events import Draft, Event
from denominator.records.keys import AttemptKey
from denominator.run.layout import RunFolder
from denominator.run.progress import read_progress
from simulation.sleeping import Night, make_night, open_asleep
from workers_lab import sound_effects


def at_work(night: Night) -> OpenRun:
    """The run as a worker opens it: a connection and a scratch of its own."""
    root, name = night.run.folder.root, uuid4().hex[:8]
    run = open_asleep(root, night.run.seal, night.run.seal_digest)
    folder = RunFolder(root, scratch=root / "work" / name)
    folder.work.mkdir(parents=True)
    return replace(run, folder=folder, place=f"here/{name}")


@dataclass(slots=True)
class Threads:
    """`ports.Workers` in which each order goes to a worker of its own. Some go twice, some answers are lost."""

    night: Night
    doubled: int = 0
    deaf: int = 0
    name: str = "threads"
    count: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    answers: dict[str, list[Carried]] = field(default_factory=dict)
    told: threading.Event = field(default_factory=threading.Event)
    threads: list[threading.Thread] = field(default_factory=list)

    def submit(self, run: str, job: str) -> str:
        ticket = uuid4().hex
        with self.lock:
            self.count += 1
            number = self.count
        for _ in range(2 if self.doubled and number % self.doubled == 0 else 1):
            lost = bool(self.deaf and number % self.deaf == 0)
            self.threads.append(threading.Thread(target=self._work, args=(ticket, job, lost)))
            self.threads[-1].start()
        return ticket

    def poll(self, ticket: str, seconds: float) -> Carried | None:
        until = time.monotonic() + seconds
        while ticket not in self.answers and time.monotonic() < until:
            time.sleep(0.01)
        return self.answers.get(ticket, [None])[0]

    def cancel(self, ticket: str) -> None:
        self.told.set()

    def close(self) -> None:
        for thread in self.threads:
            thread.join()

    def _work(self, ticket: str, job: str, lost: bool) -> None:
        run = at_work(self.night)
        try:
            answer = work(self.night.world, run, read_order(job), self.told, Seen(), cold=False)
        finally:
            run.journal.close()
        carried = Carried(lost="its answer was lost") if lost else Carried(answer=written(answer))
        self.answers.setdefault(ticket, []).append(carried)


def carried_by(night: Night, workers: Threads, stop: StopFlag | None = None) -> RunResult:
    """The run, carried out by an engine."""
    far = Far(workers, {night.run.run_id: "it"}, 2.0)
    try:
        return run_all(night.world, [night.run], night.baseline, stop or StopFlag(), carrier=far)
    finally:
        workers.close()


def passed(night: Night) -> list[str]:
    return [str(row.stop_reason) for row in read_ledger(night.run).rows]


@pytest.mark.parametrize(("doubled", "deaf"), [(0, 0), (1, 0), (0, 2), (2, 3)])
def test_whatever_an_engine_doubles_or_loses_every_attempt_ends_once(tmp_path: Path, doubled: int, deaf: int) -> None:
    night = make_night(tmp_path, tasks=3, repeats=2, beds=3, least_s=0.01, most_s=0.1)
    done = carried_by(night, Threads(night, doubled, deaf))
    assert done.messages == ()
    assert open_promises(night.run) == []
    assert set(passed(night)) == {"pass"}
    sound_effects(night.run)


@dataclass(slots=True)
class OneSilent(Threads):
    """The worker of the first order claims its attempt and is never heard of again; it lives on."""

    over: threading.Event = field(default_factory=threading.Event)

    def cancel(self, ticket: str) -> None:
        """It hears nothing, and the others are not meant."""

    def close(self) -> None:
        self.over.set()
        Threads.close(self)

    def _work(self, ticket: str, job: str, lost: bool) -> None:
        if self.count > 1:
            Threads._work(self, ticket, job, lost)
            return
        run, order = at_work(self.night), read_order(job)
        assert run.journal.claim(order.key, order.claim_ms / 1000) is not None
        self.over.wait(60)
        run.journal.close()


def test_an_attempt_whose_worker_falls_silent_before_it_begins_goes_to_another_one(tmp_path: Path) -> None:
    night = make_night(tmp_path, tasks=1, repeats=1, beds=1, least_s=0.01, most_s=0.01)
    workers = OneSilent(night)
    stop, began = StopFlag(), time.monotonic()
    late = threading.Timer(40, lambda: stop.set("interrupted", 130))  # type: ignore[arg-type]
    late.start()
    done = carried_by(night, workers, stop)
    late.cancel()
    assert (done.messages, passed(night), workers.count) == ((), ["pass"], 2)
    assert time.monotonic() - began > 2.0, "its claim had not run out"
    sound_effects(night.run)


@pytest.fixture
def one(tmp_path: Path) -> Iterator[tuple[Night, AttemptKey]]:
    """A promised attempt whose agent sleeps for a second, in a run that nobody carries out yet."""
    night = make_night(tmp_path, tasks=1, repeats=1, beds=1, least_s=1.0, most_s=1.0)
    promise_plan(night.world.failpoints, night.run)
    yield night, open_promises(night.run)[0]
    night.run.journal.close()


def test_an_attempt_was_abandoned_when_somebody_had_it_and_nobody_has_it_now(one: tuple[Night, AttemptKey]) -> None:
    night, key = one
    journal = night.run.journal
    watch = Watch(night.run, read_progress(journal.events(key))[key])
    assert not watch.abandoned() and not watch.abandoned(), "an order that waits for a free worker is not abandoned"
    claim = journal.claim(key, 600)
    assert claim is not None
    assert not watch.abandoned()
    assert journal.renew(claim, 0)
    assert watch.abandoned()
    journal.append(Draft(kind="closed", phase="harness", writer="harness", key=key, payload={"stop_reason": "x"}))
    assert not watch.abandoned()


def order(key: AttemptKey, claim_ms: int = 60_000) -> Order:
    return Order(key=key, slot=0, waited_ms=0, since=0, claim_ms=claim_ms, version=__version__)


@dataclass(slots=True)
class Working:
    """A worker at an attempt, in a thread."""

    night: Night
    key: AttemptKey
    claim_ms: int = 60_000
    spoil: Callable[[OpenRun], OpenRun] = lambda run: run
    run: OpenRun = field(init=False)
    answer: Answer | None = None
    thread: threading.Thread = field(init=False)

    def __post_init__(self) -> None:
        self.run = self.spoil(at_work(self.night))
        self.thread = threading.Thread(target=self._work)
        self.thread.start()

    def said(self) -> Answer:
        self.thread.join(30)
        assert self.answer is not None
        return self.answer

    def _work(self) -> None:
        told = threading.Event()
        self.answer = work(self.night.world, self.run, order(self.key, self.claim_ms), told, Seen(), cold=False)


def until_begun(night: Night, key: AttemptKey, incarnation: int = 1) -> list[Event]:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        events = list(night.run.journal.events(key))
        if any(e.checkpoint == "patch_drafted" and e.incarnation == incarnation for e in events):
            return events
        time.sleep(0.01)
    raise AssertionError("it never began")


def test_an_attempt_that_somebody_has_is_left_alone(one: tuple[Night, AttemptKey]) -> None:
    night, key = one
    first = Working(night, key)
    until_begun(night, key)
    assert Working(night, key).said().word == Word.HELD
    assert first.said().word == Word.CLOSED
    assert Working(night, key).said().word == Word.CLOSED
    sound_effects(night.run)


def test_what_a_replaced_worker_would_write_is_refused_and_its_scratch_goes(one: tuple[Night, AttemptKey]) -> None:
    night, key = one
    stale = Working(night, key)
    until_begun(night, key)
    with sqlite3.connect(night.run.folder.journal, timeout=30) as rows:  # as if its claim had run out
        rows.execute("DELETE FROM claims")
    newer = Working(night, key)
    said = stale.said()
    assert said.word == Word.FENCED
    assert "is not written down" in said.what
    assert not stale.run.folder.attempt(key).exists()
    assert newer.said().word == Word.CLOSED
    sound_effects(night.run)


class Cut:
    """A journal whose server cannot be reached while `away` is set."""

    def __init__(self, journal: object, away: threading.Event) -> None:
        self._journal, self._away = journal, away

    def __getattr__(self, name: str) -> object:
        if self._away.is_set():
            raise OpenPromisesError("the server of the journal is gone")
        return getattr(self._journal, name)


def test_a_worker_that_is_cut_off_ends_by_itself_and_another_goes_on(one: tuple[Night, AttemptKey]) -> None:
    night, key = one
    away = threading.Event()
    stale = Working(night, key, 400, lambda run: replace(run, journal=Cut(run.journal, away)))  # type: ignore[arg-type]
    until_begun(night, key)
    away.set()
    began = time.monotonic()
    assert stale.said().word == Word.FENCED
    assert time.monotonic() - began < 0.95, "it went on to the end of its agent"
    assert Working(night, key).said().word == Word.CLOSED
    state = read_progress(night.run.journal.events(key))[key]
    assert (state.incarnation, state.closed) == (2, True)
    sound_effects(night.run)


def test_the_flag_in_the_journal_ends_the_attempt_and_leaves_it_open(one: tuple[Night, AttemptKey]) -> None:
    night, key = one
    working = Working(night, key, 2000)
    until_begun(night, key)
    night.run.journal.append(Draft(kind="run.stopping", phase="run", writer="harness", payload={"why": "sigterm"}))
    assert working.said().word == Word.STOPPED
    assert open_promises(night.run) == [key]
    assert night.run.journal.claim(key, 1) is not None


def test_a_stop_of_the_coordinator_reaches_workers_and_promises_stay_open(tmp_path: Path) -> None:
    night = make_night(tmp_path, tasks=2, repeats=1, beds=2, least_s=20, most_s=20)
    stop, workers = StopFlag(), Threads(night)
    timer = threading.Timer(1.0, lambda: stop.set("interrupted", 130))  # type: ignore[arg-type]
    timer.start()
    began = time.monotonic()
    done = carried_by(night, workers, stop)
    assert (int(done.exit), time.monotonic() - began < 15) == (130, True)
    assert len(open_promises(night.run)) == 2
    assert [e.kind for e in night.run.journal.events() if e.key is None][-2:] == ["run.stopping", "run.stopped"]
