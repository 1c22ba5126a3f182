"""The journal in SQLite: WAL, synchronous=FULL, append-only by trigger, hash-chained (docs/formats/journal.md)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import RLock
from uuid import uuid4

from denominator.adapters.store import sqlite_claims, sqlite_lease
from denominator.adapters.store.file_lock import FileLock
from denominator.adapters.store.group_commit import GroupCommit
from denominator.adapters.store.rows import (
    FIRST,
    Fence,
    call_values,
    chain_problems,
    event_of,
    event_values,
    latest_calls,
    place_event,
    place_of,
)
from denominator.adapters.store.sqlite_schema import COLUMNS, INSERT, INSERT_CALL, SCHEMA, VERSION
from denominator.adapters.store.sqlite_words import in_words, not_a_journal, not_opened, written
from denominator.adapters.store.standing import read_standing
from denominator.adapters.store.tail import Tail
from denominator.errors import InputError, MachineError
from denominator.ports import Clock, Failpoints
from denominator.records.claims import Claim
from denominator.records.events import Draft, Event
from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow
from denominator.records.standing import Standing
from denominator.wire.codec import from_json, loads


class SqliteJournal:
    """`ports.Journal` in one file. Threads of one process share its commits (`GroupCommit`); a lease keeps a second runner out."""

    def __init__(self, path: Path, run_id: str, clock: Clock, failpoints: Failpoints, *, create: bool = False) -> None:
        self.path, self.run_id, self.clock, self.failpoints = path, run_id, clock, failpoints
        self._lock = RLock()
        self._tail = Tail()
        self._group = self._line()
        self.held = FileLock(path.with_name(f"{path.name}.lock"))
        if not create and not path.is_file():
            raise InputError("there is no journal here", where=str(path), fix="denominator runs ls")
        try:
            self._connect(path, create)
        except sqlite3.OperationalError as error:
            if create:
                raise MachineError(f"the journal cannot be begun: {error}", where=str(path)) from None
            self._open_unwritable(error)

    def append(self, *drafts: Draft) -> list[Event]:
        """Append drafts in one transaction, durable on return (ports.Journal). DuplicateError, FencedError: nothing is."""
        events = self._group.write(partial(self._placed, drafts), many=len(drafts) > 1)
        self.failpoints.hit("journal.after_commit")
        return events

    def events(self, key: AttemptKey | None = None, after: int = 0) -> Iterator[Event]:
        """Events in order after a sequence number, of one attempt or of the run."""
        mine, args = ("", ()) if key is None else (" AND task_id = ? AND repeat = ? AND attempt = ?", place_of(key))
        sql = f"SELECT {COLUMNS} FROM events WHERE seq > ?{mine} ORDER BY seq"
        with self._lock, in_words(self.path):
            rows = self._db.execute(sql, (after, *args)).fetchall()
        with in_words(self.path):
            return iter([event_of(row) for row in rows])

    def put_calls(self, *rows: CallRow) -> None:
        """Append call rows in one transaction: state `intent` while the outcome is open, else `result`.

        A failed try that is to be made again is `interim`: its `result` follows where no other try came after all.
        FencedError: an intent of an incarnation that a newer one has replaced.
        """
        values = [call_values(row) for row in rows]
        self._group.write(partial(self._placed_calls, rows, values), many=len(rows) > 1)
        self.failpoints.hit("journal.after_commit")

    def calls(self, key: AttemptKey | None = None) -> Iterator[CallRow]:
        """One row per exchange: its result, or its intent when no result was written."""
        where, args = ("", ()) if key is None else (" WHERE task_id = ? AND repeat = ? AND attempt = ?", place_of(key))
        sql = f"SELECT row FROM calls{where} ORDER BY task_id, repeat, attempt, incarnation, seq, state"
        with self._lock, in_words(self.path):
            found = [
                from_json(CallRow, loads(text, str(self.path)), str(self.path))
                for (text,) in self._db.execute(sql, args)
            ]
        return iter(latest_calls(found))

    def claim(self, key: AttemptKey, seconds: float) -> Claim | None:
        """Take an attempt for a while, by the monotonic clock under this boot; None while somebody's claim is not over."""
        claim = Claim(key, uuid4().hex)
        with self._transaction():
            taken = sqlite_claims.take(self._db, claim, self.clock, seconds)
        return claim if taken else None

    def renew(self, claim: Claim, seconds: float) -> bool:
        """Hold a claim for longer; False when it ran out or somebody else has the attempt."""
        with self._transaction():
            return sqlite_claims.renew(self._db, claim, self.clock, seconds)

    def release(self, claim: Claim) -> None:
        """Give a claim back; one that is no longer held is left as it is."""
        with self._transaction():
            sqlite_claims.release(self._db, claim)

    def head(self) -> tuple[int, str]:
        """Sequence number and digest of the last event; (0, "") without one."""
        with self._lock, in_words(self.path):
            last = self._db.execute("SELECT seq, sha FROM events ORDER BY seq DESC LIMIT 1").fetchone()
        return (int(last[0]), str(last[1])) if last else (0, "")

    def adopt(self, events: Iterable[Event], calls: Iterable[tuple[object, ...]]) -> None:
        """Take over events, and calls as rows, of the same run as another journal has them: in one transaction."""
        with self._transaction():
            self._tail.forget()
            self._db.executemany(INSERT, map(event_values, events))
            self._db.executemany(INSERT_CALL.replace("INSERT", "INSERT OR IGNORE", 1), calls)

    def standing(self) -> Standing:
        """Where the run stands (ports.Journal)."""
        with self._lock, in_words(self.path):
            self._db.execute("BEGIN")  # one moment for all questions
            try:
                return read_standing(lambda sql: self._db.execute(sql).fetchall(), self.run_id)
            finally:
                if self._db.in_transaction:  # an error may have ended it
                    self._db.execute("COMMIT")

    def verify(self, after: int = 0) -> list[str]:
        """Walk the chain behind an event, or all of it; every break is named. Empty means sound."""
        with self._lock, in_words(self.path):
            found = self._db.execute("SELECT sha FROM events WHERE seq = ?", (after,)).fetchone()
        return chain_problems(self.events(after=after), after, found[0] if found else FIRST)

    @contextmanager
    def lease(self) -> Iterator[None]:
        """Hold the run for this process: a row, and a lock that other containers see too. RunInUseError: somebody has either."""
        if not self.held.take():
            raise sqlite_lease.in_use(self.path)
        try:
            with self._transaction():
                sqlite_lease.take(self._db, self.path, self.clock, locked=self.held.sure)
            try:
                yield
            finally:
                # A row that stays, because the disk is full, names a process that will be dead: it keeps nobody out.
                with self._lock, suppress(sqlite3.Error):
                    sqlite_lease.give_back(self._db)
        finally:
            self.held.release()

    def check_free(self) -> None:
        """Raise RunInUseError while another process holds the run; writes nothing."""
        with self._lock, in_words(self.path):
            sqlite_lease.refuse_held(self._db, self.path, self.clock)
        if not self.held.is_free():
            raise sqlite_lease.in_use(self.path)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    def _open_unwritable(self, error: sqlite3.OperationalError) -> None:
        """A journal in a place where nothing may be written can still be read, when no runner left anything beside it."""
        if self.path.with_name(self.path.name + "-wal").exists():
            raise not_opened(error, self.path) from None
        try:
            self._connect(f"{self.path.absolute().as_uri()}?immutable=1", create=False)
        except sqlite3.OperationalError as other:
            raise InputError(f"cannot be opened: {other}", where=str(self.path)) from None

    def _connect(self, place: Path | str, create: bool) -> None:
        """Connect and look whether it is a journal. An OperationalError says that the file or its folder refuses."""
        uri = isinstance(place, str)
        self._db = sqlite3.connect(place, isolation_level=None, check_same_thread=False, timeout=30, uri=uri)
        try:
            self._open(create)
        except sqlite3.OperationalError as error:
            self._db.close()
            if "no such table" in str(error):
                raise not_a_journal(error, self.path) from None
            raise
        except sqlite3.DatabaseError as error:
            self._db.close()
            raise not_a_journal(error, self.path) from None

    def _open(self, create: bool) -> None:
        if not create:
            self._db.execute("SELECT 1 FROM meta")  # before anything that would write into a file that is no journal
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=FULL")
        if create:
            self._db.executescript(f"BEGIN IMMEDIATE; {SCHEMA}")
            self._db.execute("INSERT INTO meta VALUES ('version', ?), ('run_id', ?)", (str(VERSION), self.run_id))
            self._db.execute("COMMIT")
        meta = dict(self._db.execute("SELECT name, value FROM meta"))
        if meta.get("version") != str(VERSION):
            raise InputError(f"journal version {meta.get('version')} is not known", where=str(self.path))
        if self.run_id and meta.get("run_id") != self.run_id:
            raise InputError(f"this journal is of run {meta.get('run_id')}, not {self.run_id}", where=str(self.path))
        self.run_id = meta["run_id"]

    def _line(self) -> GroupCommit:
        return GroupCommit(self.path, self._transaction, self._before_commit, self._tail)

    def _before_commit(self) -> None:
        self.failpoints.hit("journal.before_commit")

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """All of it durable when it is left, or nothing of it."""
        with self._lock, written(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def _placed(self, drafts: tuple[Draft, ...]) -> list[Event]:
        """Insert, and remember the new end: what comes next in this transaction follows it."""
        events, fence = self._insert(drafts)
        if events:
            self._tail.keep(events[-1].seq, events[-1].sha, fence)
        return events

    def _placed_calls(self, rows: tuple[CallRow, ...], values: list[tuple[object, ...]]) -> None:
        fence = self._tail.fence(self._db, str(self.path))
        for row in rows:
            fence.call(row)
        self._db.executemany(INSERT_CALL, values)

    def _insert(self, drafts: tuple[Draft, ...]) -> tuple[list[Event], Fence]:
        seq, prev = self._tail.last
        events, fence = [], self._tail.fence(self._db, str(self.path))
        for draft in drafts:
            fence.draft(draft)
            event, values = place_event(draft, self.run_id, self.clock, seq + 1, prev)
            self._db.execute(INSERT, values)
            seq, prev = event.seq, event.sha
            events.append(event)
        return events, fence
