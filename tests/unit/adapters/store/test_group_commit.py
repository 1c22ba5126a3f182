"""Threads that write at once share a commit: who is told what, and what is there."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from denominator.adapters.clock import SystemClock
from denominator.adapters.store.group_commit import GroupCommit, Part
from denominator.adapters.store.sqlite import SqliteJournal
from denominator.errors import DuplicateError, FencedError, InputError, OpenPromisesError
from denominator.records.events import Draft
from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow
from unit.adapters.store.test_full_disk import FULL, Refusing

KEY = AttemptKey("r", "t", 1, 1)
AFTER, BEFORE = "journal.after_commit", "journal.before_commit"


class Gate:
    """Failpoints: the thread that commits first waits before its commit until so many others stand in line."""

    armed: tuple[str, ...] = ()

    def __init__(self) -> None:
        self.wanted, self.then = 0, lambda: None
        self.journal: Any = None
        self.reached = threading.Event()
        self.hits: Counter[tuple[str, int]] = Counter()

    def hit(self, name: str) -> None:
        self.hits[name, threading.get_ident()] += 1
        if name != BEFORE or not self.wanted or not self.journal._db.in_transaction:
            return
        if self.journal._lock.acquire(blocking=False):  # the lock is this thread's own: it is the one that commits
            self.journal._lock.release()
            self.reached.set()
            until = time.monotonic() + 30
            while len(self.journal._group._line) < self.wanted and time.monotonic() < until:
                time.sleep(0.001)
            assert len(self.journal._group._line) == self.wanted
            self.wanted = 0
            self.then()


@pytest.fixture
def gate(tmp_path: Path) -> Gate:
    gate = Gate()
    gate.journal = SqliteJournal(tmp_path / "j.db", "r", SystemClock(), gate, create=True)
    gate.journal.append(draft("promised"), draft("started", incarnation=2))
    return gate


def draft(kind: str, key: AttemptKey | None = KEY, **more: Any) -> Draft:
    return Draft(kind=kind, phase="run", writer="harness", key=key, **({"incarnation": 2} | more))


def at_once(gate: Gate, *acts: Callable[[], object]) -> list[Future[object]]:
    """The first commits alone, the others together after it, in this order."""
    gate.wanted = len(acts) - 1
    with ThreadPoolExecutor(len(acts)) as pool:
        futures = []
        for number, act in enumerate(acts):
            futures.append(pool.submit(act))
            until = time.monotonic() + 30
            while number and len(gate.journal._group._line) < number and not futures[number].done():
                assert time.monotonic() < until
                time.sleep(0.001)
            assert gate.reached.wait(30)
    return futures


def test_who_comes_while_one_commits_is_committed_together_in_order(gate: Gate) -> None:
    j, said = gate.journal, list[str]()
    j._db.set_trace_callback(said.append)
    gate.hits.clear()
    futures = at_once(gate, *(lambda n=n: j.append(*(draft("output", payload={"n": n}),) * 2) for n in range(8)))
    assert [word for word in said if word in ("COMMIT", "ROLLBACK")] == ["COMMIT"] * 2
    told = [[event.payload["n"] for event in future.result()] for future in futures]
    assert told == [[n, n] for n in range(8)]
    assert [event.payload["n"] for event in j.events(after=2)] == [n for n in range(8) for _ in range(2)]
    assert [event for future in futures for event in future.result()] == list(j.events(after=2))
    # Each passed both points once, in its own thread: what is armed inside a commit is known by the thread.
    assert sorted(name for name, _ in gate.hits) == [AFTER] * 8 + [BEFORE] * 8 and set(gate.hits.values()) == {1}
    assert j.verify() == []


def test_a_part_that_is_refused_is_refused_alone_and_leaves_nothing(gate: Gate) -> None:
    j = gate.journal
    j.put_calls(CallRow(key=KEY, seq=1, incarnation=2))
    other = AttemptKey("r", "other", 1, 1)
    futures = at_once(
        gate,
        lambda: j.append(draft("output", payload={"n": 0})),
        lambda: j.append(draft("output", payload={"n": -1}), draft("promised")),
        lambda: j.append(draft("output", payload={"n": 1})),
        lambda: j.append(draft("promised")),
        lambda: j.append(draft("started", incarnation=3), draft("output", incarnation=2)),
        lambda: j.append(draft("output", payload={"n": -2}), draft("output", payload={"x": "\ud800"})),
        lambda: j.append(draft("output", other, payload={"n": -3}), draft("output", other, incarnation=2**80)),
        lambda: j.put_calls(CallRow(key=KEY, seq=2, incarnation=2), CallRow(key=KEY, seq=1, incarnation=2)),
        lambda: j.put_calls(CallRow(key=KEY, seq=3, incarnation=1)),
        lambda: j.put_calls(CallRow(key=KEY, seq=4, incarnation=2)),
        # The start of incarnation 3 that was taken back fences nobody.
        lambda: j.append(draft("output", payload={"n": 2}), draft("output", payload={"n": 3})),
    )
    errors = [type(future.exception()) for future in futures]
    none = type(None)
    assert errors == [
        none, DuplicateError, none, DuplicateError, FencedError, InputError, OverflowError, DuplicateError, FencedError,
        none, none,
    ]  # fmt: skip
    assert [event.payload["n"] for event in j.events(after=2)] == [0, 1, 2, 3]
    assert sorted(row.seq for row in j.calls()) == [1, 4]
    assert j.verify() == []


def test_a_start_fences_those_who_are_committed_with_it(gate: Gate) -> None:
    j = gate.journal
    futures = at_once(
        gate,
        lambda: j.append(draft("output")),
        lambda: j.append(draft("started", incarnation=3)),
        lambda: j.append(draft("output", incarnation=2)),
        lambda: j.append(draft("started", incarnation=3)),
        lambda: j.append(draft("output", incarnation=3)),
    )
    assert [type(f.exception()) for f in futures[1:]] == [type(None), FencedError, DuplicateError, type(None)]
    assert [(event.kind, event.incarnation) for event in j.events(after=3)] == [("started", 3), ("output", 3)]


@pytest.mark.parametrize("word", ["COMMIT", "INSERT", "BEGIN"])
def test_a_disk_that_is_full_fails_everybody_who_was_to_be_committed_together(gate: Gate, word: str) -> None:
    j, real = gate.journal, gate.journal._db
    lost = lambda: draft("output", payload={"n": -1})  # noqa: E731

    def fill() -> None:
        """Within the first commit, so that the second one is refused."""

        class Filled(Refusing):
            commits = 0

            def execute(self, sql: str, *values: object) -> sqlite3.Cursor:
                if sql == "COMMIT" and not self.commits:
                    self.commits = 1
                    return self.real.execute(sql)
                if self.commits and word == "INSERT" and sql.startswith("INSERT"):
                    self.real.execute("ROLLBACK")  # as SQLite does when there is no room for a page
                return super().execute(sql, *values) if self.commits else self.real.execute(sql, *values)

        j._db = Filled(real, word, *FULL)

    gate.then = fill
    acts = [lambda: j.append(draft("output", payload={"n": 0})), *[lambda: j.append(lost(), lost())] * 3]
    futures = at_once(gate, *acts, lambda: j.put_calls(CallRow(key=KEY, seq=1, incarnation=2)))
    assert futures[0].exception() is None
    errors = [future.exception() for future in futures[1:]]
    assert {type(error) for error in errors} == {OpenPromisesError}
    assert len({id(error) for error in errors}) == 4 and all("disk is full" in str(error) for error in errors)
    j._db = real
    assert [event.payload["n"] for event in j.events(after=2)] == [0] and not list(j.calls())
    j.append(draft("output", payload={"n": 1}))
    assert [event.seq for event in j.events(after=2)] == [3, 4] and j.verify() == []


def test_a_thread_that_is_broken_off_while_it_commits_for_others_tells_them(gate: Gate) -> None:
    j = gate.journal
    line = j._group
    begun, real = threading.Event(), line._taken

    def taken() -> list[Part[Any]]:
        """The first leader takes those who came; then it is interrupted."""
        begun.set()
        until = time.monotonic() + 30
        while len(line._line) < 2 and time.monotonic() < until:
            time.sleep(0.001)
        line._taken = real
        found: list[Part[Any]] = real()
        found[0].work = lambda: (_ for _ in ()).throw(KeyboardInterrupt)
        return found

    line._taken = taken
    with ThreadPoolExecutor(3) as pool:
        first = pool.submit(lambda: j.append(draft("output")))
        begun.wait(30)
        others = [pool.submit(lambda: j.append(draft("output"))) for _ in range(2)]
    assert isinstance(first.exception(), KeyboardInterrupt)
    assert all("broken off" in str(other.exception()) for other in others)
    assert len(j.append(draft("output"))) == 1 and [event.seq for event in j.events()] == [1, 2, 3]


class Interrupted:
    """What a thread waits for when somebody presses Ctrl-C."""

    def acquire(self) -> None:
        raise KeyboardInterrupt


def test_a_thread_that_is_interrupted_in_line_leaves_it_and_passes_its_turn_on(gate: Gate) -> None:
    line: GroupCommit = gate.journal._group
    part: Part[Any] = Part(lambda: None, many=False)
    part.woken = Interrupted()  # type: ignore[assignment]
    line._line.append(part)
    with pytest.raises(KeyboardInterrupt):
        line._wait(part)
    assert not line._line
    line._busy = part.leads = True  # its turn had come
    with pytest.raises(KeyboardInterrupt):
        line._wait(part)
    assert not line._busy
    assert len(gate.journal.append(draft("output"))) == 1


def test_many_threads_need_few_commits(tmp_path: Path) -> None:
    """Without any gate: what queues while one commit runs is the next one."""

    class Slow:
        armed: tuple[str, ...] = ()

        def hit(self, name: str) -> None:
            if name == BEFORE:
                time.sleep(0.001)

    j, said = SqliteJournal(tmp_path / "j.db", "r", SystemClock(), Slow(), create=True), list[str]()
    j._db.set_trace_callback(said.append)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: j.append(draft("output", payload={"n": n})), range(160)))
    assert len(list(j.events())) == 160 and j.verify() == []
    assert said.count("COMMIT") < 120
