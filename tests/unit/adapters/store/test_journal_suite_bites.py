"""The conformance suite finds journals that do not keep their word: each defect here is found by the check that is for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from denominator.adapters.clock import SystemClock
from denominator.adapters.store import tail
from denominator.adapters.store.group_commit import GroupCommit
from denominator.adapters.store.rows import Fence
from denominator.adapters.store.sqlite import SqliteJournal
from denominator.errors import DenominatorError, DuplicateError
from denominator.ports import Failpoints, Journal
from denominator.records.claims import Claim
from denominator.records.events import Draft, Event
from denominator.records.keys import AttemptKey
from denominator.records.standing import Standing
from denominator.testing import journal_basic as basic
from denominator.testing import journal_crowd as crowd
from denominator.testing import journal_threads as threads
from denominator.testing.journal_suite import CHECKS, Check, JournalBench


class Honest(SqliteJournal):
    """As it should be."""


class OneByOne(SqliteJournal):
    """A group is no transaction."""

    def append(self, *drafts: Draft) -> list[Event]:
        return [super(OneByOne, self).append(draft)[0] for draft in drafts]


class Unfenced(SqliteJournal):
    """Every incarnation may write."""

    def _insert(self, drafts: tuple[Draft, ...]) -> Any:
        events, _ = [], None
        seq, prev = self._tail.last
        for draft in drafts:
            event, values = tail_place(self, draft, seq + 1, prev)
            self._db.execute(tail_insert(), values)
            seq, prev = event.seq, event.sha
            events.append(event)
        return events, Fence(lambda _key: 0, "")


class Forgetful(SqliteJournal):
    """Tells of a duplicate what it kept all the same."""

    def append(self, *drafts: Draft) -> list[Event]:
        try:
            return super().append(*drafts)
        except DuplicateError:
            return []


class Deaf(SqliteJournal):
    """Reads from the start, wherever it was asked to begin."""

    def events(self, key: AttemptKey | None = None, after: int = 0) -> Iterator[Event]:
        del after
        return super().events(key)


class Generous(SqliteJournal):
    """Gives everybody the claim."""

    def claim(self, key: AttemptKey, seconds: float) -> Claim | None:
        del seconds
        return Claim(key, "mine")


class Open(SqliteJournal):
    """Lets every runner in."""

    @contextmanager
    def lease(self) -> Iterator[None]:
        yield


class Blind(SqliteJournal):
    """Finds every chain sound."""

    def verify(self, after: int = 0) -> list[str]:
        del after
        return []


class Idle(SqliteJournal):
    """Says that nothing has happened."""

    def standing(self) -> Standing:
        return Standing(newest=0, promised=(), ended={}, open=(), of_run=())


class AllForOne(SqliteJournal):
    """What is wrong with one call of a batch fails the whole batch."""

    def _line(self) -> GroupCommit:
        line = super()._line()
        line._try = lambda _db, part, **_: setattr(part, "result", part.work())  # type: ignore[method-assign]
        return line


class Halves(SqliteJournal):
    """A refused group leaves its first rows where others were committed with it."""

    def _line(self) -> GroupCommit:
        line = super()._line()
        real = line._try

        def tried(db: Any, part: Any, *, alone: bool) -> None:
            part.many = False
            real(db, part, alone=alone)

        line._try = tried  # type: ignore[method-assign]
        return line


class Early(SqliteJournal):
    """Reports before it commits."""

    def _placed(self, drafts: tuple[Draft, ...]) -> list[Event]:
        self._waiting = [*getattr(self, "_waiting", []), *drafts]
        if len(self._waiting) < 40:
            return []
        drafts, self._waiting = tuple(self._waiting), []
        return super()._placed(drafts)


def tail_place(journal: SqliteJournal, draft: Draft, seq: int, prev: str) -> Any:
    from denominator.adapters.store.rows import place_event

    return place_event(draft, journal.run_id, journal.clock, seq, prev)


def tail_insert() -> str:
    from denominator.adapters.store.sqlite_schema import INSERT

    return INSERT


def finds(check: Check, bench: JournalBench) -> bool:
    """Does a check tell? One that breaks off tells too."""
    try:
        return check(bench) != []
    except DenominatorError:
        return True


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def bench_of(kind: type[SqliteJournal], folder: Path) -> JournalBench:
    from unit.adapters.store.test_journal_suite import sqlite_bench

    def opens(run_id: str, failpoints: Failpoints, *, create: bool = False) -> Journal:
        return kind(folder / f"{run_id}.db", run_id, SystemClock(), failpoints, create=create)

    real = sqlite_bench(folder)
    source = (
        f"{real.source}\nfrom unit.adapters.store.test_journal_suite_bites import {kind.__name__} as SqliteJournal\n"
    )
    return JournalBench(opens=opens, source=source, attacks=real.attacks, tampers=real.tampers)


@pytest.mark.parametrize(
    ("kind", "check"),
    [
        (OneByOne, basic.once_and_only_once),
        (OneByOne, basic.what_cannot_be_written_is_refused),
        (Unfenced, basic.the_older_incarnation_is_fenced),
        (Forgetful, basic.once_and_only_once),
        (Deaf, basic.events_come_back),
        (Generous, crowd.claims_run_out),
        (Generous, crowd.one_of_many_gets_the_claim),
        (Open, crowd.one_runner_at_a_time),
        (Blind, basic.the_chain_tells),
        (AllForOne, threads.threads_are_refused_alone),
        (Halves, threads.threads_are_refused_alone),
        (Early, threads.threads_that_are_killed_lose_nothing_that_was_reported),
        (Idle, basic.standing_is_what_the_events_say),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_a_journal_that_does_not_keep_its_word_is_found(kind: type[SqliteJournal], check: Check, folder: Path) -> None:
    assert check in CHECKS
    assert check(bench_of(Honest, folder)) == []
    # A kill that comes just after a late commit finds nothing lost: what depends on the moment is asked a few times.
    assert any(finds(check, bench_of(kind, folder / f"again-{number}")) for number in range(6))


def test_an_attack_that_succeeds_is_found(folder: Path) -> None:
    bench = bench_of(Honest, folder)
    open_door = JournalBench(opens=bench.opens, source=bench.source, attacks=[lambda _run_id: None])
    assert basic.nothing_is_changed_or_removed(open_door) != []


def test_a_connection_that_remembers_what_others_changed_breaks_the_chain(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the tail asks of SQLite is what keeps two writers apart: without it the suite says so."""
    monkeypatch.setattr(tail.Tail, "look", lambda self, db: None)
    bench = bench_of(Honest, folder)
    assert finds(basic.the_older_incarnation_is_fenced, bench)
