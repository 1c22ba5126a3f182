"""The journal in SQLite: WAL, synchronous=FULL, append-only by trigger, hash-chained (docs/formats/journal.md)."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any
from uuid import uuid4

from denominator.adapters.store.lease import Holder, alive, holder_of_this_process
from denominator.errors import (
    DuplicateError,
    FencedError,
    InputError,
    MachineError,
    OpenPromisesError,
    RunInUseError,
    UnknownStateError,
)
from denominator.ports import Clock, Failpoints
from denominator.records.claims import Claim
from denominator.records.events import Draft, Event
from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow
from denominator.wire.canonical import canonical, digest
from denominator.wire.codec import from_json, loads, to_json

VERSION = 1
FIRST = "0" * 64

SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE events (
  seq INTEGER PRIMARY KEY, run_id TEXT NOT NULL, task_id TEXT, repeat INTEGER, attempt INTEGER,
  incarnation INTEGER NOT NULL, t_mono_ns INTEGER NOT NULL, boot_id TEXT NOT NULL, t_wall TEXT NOT NULL,
  phase TEXT NOT NULL, writer TEXT NOT NULL,
  kind TEXT NOT NULL, checkpoint TEXT NOT NULL, stream TEXT NOT NULL, payload TEXT NOT NULL, blob TEXT NOT NULL,
  prev_sha TEXT NOT NULL, sha TEXT NOT NULL UNIQUE);
CREATE UNIQUE INDEX one_promise ON events (task_id, repeat, attempt) WHERE kind = 'promised';
CREATE UNIQUE INDEX one_close ON events (task_id, repeat, attempt) WHERE kind = 'closed';
CREATE UNIQUE INDEX one_checkpoint ON events (task_id, repeat, attempt, incarnation, checkpoint, kind)
  WHERE kind IN ('checkpoint.intent', 'checkpoint.done');
CREATE INDEX by_attempt ON events (task_id, repeat, attempt, seq);
CREATE INDEX by_incarnation ON events (task_id, repeat, attempt, incarnation) WHERE kind IN ('started', 'closed');
CREATE TABLE calls (
  id INTEGER PRIMARY KEY, task_id TEXT NOT NULL, repeat INTEGER NOT NULL, attempt INTEGER NOT NULL,
  incarnation INTEGER NOT NULL, seq INTEGER NOT NULL, state TEXT NOT NULL, row TEXT NOT NULL,
  UNIQUE (task_id, repeat, attempt, incarnation, seq, state));
CREATE TABLE lease (
  only INTEGER PRIMARY KEY CHECK (only = 1), pid INTEGER, boot_id TEXT, start_time TEXT, taken_at TEXT);
CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER calls_no_update BEFORE UPDATE ON calls BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER calls_no_delete BEFORE DELETE ON calls BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
"""
COLUMNS = (
    "seq, run_id, task_id, repeat, attempt, incarnation, t_mono_ns, boot_id, t_wall, phase, writer, kind, checkpoint, "
    "stream, payload, blob, prev_sha, sha"
)
CLAIMS = """
CREATE TABLE IF NOT EXISTS claims (
  task_id TEXT NOT NULL, repeat INTEGER NOT NULL, attempt INTEGER NOT NULL,
  token TEXT NOT NULL, boot_id TEXT NOT NULL, until_ns INTEGER NOT NULL, PRIMARY KEY (task_id, repeat, attempt))
"""
"""Made when first needed: journals that were begun before there were claims have no such table."""
NEWEST = "SELECT max(incarnation) FROM events WHERE task_id = ? AND repeat = ? AND attempt = ? AND kind IN ('started', 'closed')"
CALL_COLUMNS = "task_id, repeat, attempt, incarnation, seq, state, row"


class SqliteJournal:
    """`ports.Journal` in one file. Safe for the threads of one process; a lease keeps a second runner out."""

    def __init__(self, path: Path, run_id: str, clock: Clock, failpoints: Failpoints, *, create: bool = False) -> None:
        self.path, self.run_id, self.clock, self.failpoints = path, run_id, clock, failpoints
        self._lock = RLock()
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
        with self._lock, _written(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                events = self._insert(drafts)
                self.failpoints.hit("journal.before_commit")
                self._db.execute("COMMIT")
            except sqlite3.IntegrityError as error:
                self._db.execute("ROLLBACK")
                raise DuplicateError(f"already in the journal: {error}", where=str(self.path)) from None
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
        self.failpoints.hit("journal.after_commit")
        return events

    def events(self, key: AttemptKey | None = None, after: int = 0) -> Iterator[Event]:
        """Events in order after a sequence number, of one attempt or of the run."""
        mine, args = ("", ()) if key is None else (" AND task_id = ? AND repeat = ? AND attempt = ?", _place(key))
        sql = f"SELECT {COLUMNS} FROM events WHERE seq > ?{mine} ORDER BY seq"
        with self._lock, _in_words(self.path):
            rows = self._db.execute(sql, (after, *args)).fetchall()
        with _in_words(self.path):
            return iter([_event(row) for row in rows])

    def put_calls(self, *rows: CallRow) -> None:
        """Append call rows in one transaction: state `intent` while the outcome is open, else `result`.

        A failed try that is to be made again is `interim`: its `result` follows where no other try came after all.
        FencedError: an intent of an incarnation that a newer one has replaced.
        """
        values = [(*_place(r.key), r.incarnation, r.seq, _state(r), canonical(r).decode()) for r in rows]
        with self._lock, _written(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                for key, incarnation in {(r.key, r.incarnation) for r in rows if _state(r) == "intent"}:
                    self._refuse_older(key, incarnation)
                self._db.executemany(f"INSERT INTO calls ({CALL_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)", values)
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def calls(self, key: AttemptKey | None = None) -> Iterator[CallRow]:
        """One row per exchange: its result, or its intent when no result was written."""
        where, args = ("", ()) if key is None else (" WHERE task_id = ? AND repeat = ? AND attempt = ?", _place(key))
        sql = f"SELECT row FROM calls{where} ORDER BY task_id, repeat, attempt, incarnation, seq, state"
        with self._lock, _in_words(self.path):
            found = [
                from_json(CallRow, loads(text, str(self.path)), str(self.path))
                for (text,) in self._db.execute(sql, args)
            ]
        latest = {(row.key, row.incarnation, row.seq): row for row in found}
        return iter(latest.values())

    def claim(self, key: AttemptKey, seconds: float) -> Claim | None:
        """Take an attempt for a while, by the monotonic clock under this boot; None while somebody's claim is not over."""
        claim, now = Claim(key, uuid4().hex), self.clock.mono_ns()
        row = (*_place(key), claim.token, self.clock.boot_id, now + int(seconds * 1e9))
        with self._changed():
            self._db.execute(
                "DELETE FROM claims WHERE task_id = ? AND repeat = ? AND attempt = ? AND (boot_id <> ? OR until_ns <= ?)",
                (*_place(key), self.clock.boot_id, now),
            )
            taken = self._db.execute("INSERT OR IGNORE INTO claims VALUES (?, ?, ?, ?, ?, ?)", row).rowcount
        return claim if taken else None

    def renew(self, claim: Claim, seconds: float) -> bool:
        """Hold a claim for longer; False when it ran out or somebody else has the attempt."""
        now = self.clock.mono_ns()
        with self._changed():
            held = self._db.execute(
                "UPDATE claims SET until_ns = ? WHERE token = ? AND boot_id = ? AND until_ns > ?",
                (now + int(seconds * 1e9), claim.token, self.clock.boot_id, now),
            ).rowcount
        return bool(held)

    def release(self, claim: Claim) -> None:
        """Give a claim back; one that is no longer held is left as it is."""
        with self._changed():
            self._db.execute("DELETE FROM claims WHERE token = ?", (claim.token,))

    def verify(self) -> list[str]:
        """Walk the chain; every break is named. Empty means sound."""
        wrong, prev, expected = [], FIRST, 1
        for event in self.events():
            if event.seq != expected:
                wrong.append(f"events {expected} to {event.seq - 1} are missing")
            if event.prev_sha != prev:
                wrong.append(f"event {event.seq} does not follow the event before it")
            if sha_of(event) != event.sha:
                wrong.append(f"event {event.seq} was changed after it was written")
            prev, expected = event.sha, event.seq + 1
        return wrong

    @contextmanager
    def lease(self) -> Iterator[None]:
        """Hold the run for this process. Raises BlockedError when a living process holds it."""
        self._take_lease()
        try:
            yield
        finally:
            with self._lock:
                self._db.execute("DELETE FROM lease WHERE pid = ?", (os.getpid(),))

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    def _open_unwritable(self, error: sqlite3.OperationalError) -> None:
        """A journal in a place where nothing may be written can still be read, when no runner left anything beside it."""
        if self.path.with_name(self.path.name + "-wal").exists():
            raise InputError(
                f"cannot be opened: {error}", where=str(self.path), fix="copy the run to a place of your own"
            )
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
                raise InputError(f"not a journal: {error}", where=str(self.path)) from None
            raise
        except sqlite3.DatabaseError as error:
            self._db.close()
            raise InputError(f"not a journal: {error}", where=str(self.path)) from None

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

    @contextmanager
    def _changed(self) -> Iterator[None]:
        """One transaction on the table of claims."""
        with self._lock, _written(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                self._db.execute(CLAIMS)
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def _refuse_older(self, key: AttemptKey, incarnation: int, *, starts: bool = False) -> None:
        """Only the newest incarnation of an attempt is written down, and each starts once."""
        newest = self._db.execute(NEWEST, _place(key)).fetchone()[0] or 0
        what = f"incarnation {newest} of {key.task_id} repeat {key.repeat} attempt {key.attempt} has begun"
        if incarnation < newest:
            raise FencedError(f"{what}: {incarnation} is not written down", where=str(self.path))
        if starts and incarnation == newest:
            raise DuplicateError(f"already in the journal: {what}", where=str(self.path))

    def _insert(self, drafts: tuple[Draft, ...]) -> list[Event]:
        last = self._db.execute("SELECT seq, sha FROM events ORDER BY seq DESC LIMIT 1").fetchone() or (
            0,
            FIRST,
        )
        seq, prev, events = int(last[0]), str(last[1]), []
        for draft in drafts:
            if draft.key is not None and draft.kind != "promised":
                self._refuse_older(draft.key, draft.incarnation, starts=draft.kind == "started")
            seq += 1
            event = self._place_event(draft, seq, prev)
            self._db.execute(f"INSERT INTO events ({COLUMNS}) VALUES ({', '.join('?' * 18)})", _values(event))
            prev = event.sha
            events.append(event)
        return events

    def _place_event(self, draft: Draft, seq: int, prev: str) -> Event:
        fields: dict[str, Any] = {
            "seq": seq, "run_id": self.run_id, "key": draft.key, "incarnation": draft.incarnation,
            "t_mono_ns": self.clock.mono_ns(), "boot_id": self.clock.boot_id, "t_wall": self.clock.wall(),
            "phase": draft.phase, "writer": draft.writer, "kind": draft.kind, "checkpoint": draft.checkpoint,
            "stream": draft.stream, "payload": dict(draft.payload), "blob": draft.blob, "prev_sha": prev,
        }  # fmt: skip
        return Event(**fields, sha=sha_of(Event(**fields, sha="")))

    def _take_lease(self) -> None:
        mine = holder_of_this_process(self.clock.boot_id)
        with self._lock, _written(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            row = self._db.execute("SELECT pid, boot_id, start_time FROM lease").fetchone()
            if row is not None and alive(Holder(*row), self.clock.boot_id):
                self._db.execute("ROLLBACK")
                raise RunInUseError(
                    f"process {row[0]} is working on this run",
                    where=str(self.path),
                    fix="wait for it, or stop it",
                )
            self._db.execute(
                "INSERT OR REPLACE INTO lease VALUES (1, ?, ?, ?, ?)",
                (mine.pid, mine.boot_id, mine.start_time, self.clock.wall()),
            )
            self._db.execute("COMMIT")


@contextmanager
def _written(path: Path) -> Iterator[None]:
    """A disk that is full or a file that is not ours to write: nothing was recorded, so the promises stay open."""
    try:
        yield
    except sqlite3.OperationalError as error:
        fix = "make room or get the right to write, then denominator resume"
        raise OpenPromisesError(f"the journal cannot be written: {error}", where=str(path), fix=fix) from None


@contextmanager
def _in_words(path: Path) -> Iterator[None]:
    """What is in the file can no longer be read: a state that nobody can explain."""
    try:
        yield
    except (sqlite3.DatabaseError, ValueError, TypeError) as error:
        fix = "restore it from a copy; nothing was touched"
        raise UnknownStateError(f"the journal is damaged: {error}", where=str(path), fix=fix) from None


def sha_of(event: Event) -> str:
    """The digest of an event: sha256 of its canonical JSON with an empty `sha`."""
    body = to_json(event)
    assert isinstance(body, dict)
    return digest(body | {"sha": ""})


def _place(key: AttemptKey) -> tuple[str, int, int]:
    return key.task_id, key.repeat, key.attempt


def _state(row: CallRow) -> str:
    """The three sort in the order in which they are written, so that the latest is the last."""
    return {"open": "intent", "retry": "interim"}.get(row.outcome, "result")


def _values(e: Event) -> tuple[object, ...]:
    place = (None, None, None) if e.key is None else _place(e.key)
    return (
        e.seq, e.run_id, *place, e.incarnation, e.t_mono_ns, e.boot_id, e.t_wall, e.phase, e.writer, e.kind,
        e.checkpoint, e.stream, canonical(dict(e.payload)).decode(), e.blob, e.prev_sha, e.sha,
    )  # fmt: skip


def _event(row: tuple[Any, ...]) -> Event:
    (
        seq,
        run_id,
        task,
        repeat,
        attempt,
        incarnation,
        mono,
        boot,
        wall,
        phase,
        writer,
        kind,
        point,
        stream,
        payload,
        blob,
        prev,
        sha,
    ) = row
    return Event(
        seq=seq, run_id=run_id, key=None if task is None else AttemptKey(run_id, task, repeat, attempt),
        incarnation=incarnation, t_mono_ns=mono, boot_id=boot, t_wall=wall, phase=phase, writer=writer, kind=kind,
        checkpoint=point, stream=stream, payload=json.loads(payload), blob=blob, prev_sha=prev, sha=sha,
    )  # fmt: skip
