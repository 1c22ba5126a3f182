"""The journal in PostgreSQL: the same events, chain and refusals as in SQLite, shared by workers on many machines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

from denominator.adapters.store.dsn import Dsn
from denominator.adapters.store.postgres_lease import LEASE_S, check_free, held
from denominator.adapters.store.postgres_link import Connection, Link, script
from denominator.adapters.store.postgres_opening import begin, check, refuse_forgetful
from denominator.adapters.store.postgres_schema import (
    CALLS,
    CLAIM,
    EVENTS,
    HOLDS,
    INSERT,
    INSERT_CALL,
    LAST,
    LOCK,
    MINE,
    NEWEST,
    RENEW,
    SHA_AT,
)
from denominator.adapters.store.rows import (
    FIRST,
    Fence,
    Values,
    call_values,
    chain_problems,
    event_of,
    is_intent,
    latest_calls,
    place_event,
    place_of,
)
from denominator.adapters.store.standing import read_standing
from denominator.errors import FencedError, InputError, UnknownStateError
from denominator.ports import Clock, Failpoints
from denominator.records.claims import Claim
from denominator.records.events import Draft, Event
from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow
from denominator.records.standing import Standing
from denominator.wire.codec import from_json, loads

BEGIN: tuple[str, tuple[()]] = ("BEGIN ISOLATION LEVEL READ COMMITTED", ())
COMMIT: tuple[str, tuple[()]] = ("COMMIT", ())


class PostgresJournal:
    """`ports.Journal` of one run in a server's schema `denominator`. Safe for the threads of one process."""

    def __init__(
        self,
        dsn: Dsn,
        run_id: str,
        clock: Clock,
        failpoints: Failpoints,
        *,
        create: bool = False,
        link: Link | None = None,
        lease_s: float = LEASE_S,
    ) -> None:
        self.dsn, self.run_id, self.clock, self.failpoints, self.lease_s = dsn, run_id, clock, failpoints, lease_s
        self.link = link or Link(dsn)
        self.beside: Sequence[Link] = ()
        self._lease = ""
        self.link.open()
        try:
            if create:
                made_by = uuid4().hex
                self.link.transact(lambda conn, _again: begin(conn, dsn, run_id, made_by))
            else:
                self.link.transact(lambda conn, _again: check(conn, dsn, run_id))
        except BaseException:
            self.link.close()
            raise

    def append(self, *drafts: Draft) -> list[Event]:
        """Append drafts in one transaction, durable on return (ports.Journal). DuplicateError, FencedError: nothing is.

        When the server goes away in the middle it is waited for, and what was committed without an answer is recognised
        by its place and digest: it is written once.
        """
        placed: list[tuple[Event, Values]] = []

        def work(conn: Connection, again: bool) -> None:
            last, newest = self._lock_run(conn, {d.key for d in drafts if d.key is not None})
            if again and placed and self._is_there(conn, placed[0][0]):
                return
            placed[:] = self._place(drafts, last, Fence(newest, self._where))
            self.failpoints.hit("journal.before_commit")
            script(conn, *((INSERT, values) for _, values in placed), COMMIT)

        self.link.transact(work, scripted=True)
        self.failpoints.hit("journal.after_commit")
        return [event for event, _ in placed]

    def events(self, key: AttemptKey | None = None, after: int = 0) -> Iterator[Event]:
        """Events in order after a sequence number, of one attempt or of the run."""
        mine, more = ("run_id = %s", ()) if key is None else (MINE, place_of(key))
        sql = f"SELECT {EVENTS} FROM denominator.events WHERE {mine} AND seq > %s ORDER BY seq"
        rows = self._read(sql, (self.run_id, *more, after))
        with self._in_words():
            return iter([event_of(row) for row in rows])

    def put_calls(self, *rows: CallRow) -> None:
        """Append call rows in one transaction (ports.Journal). FencedError: an intent of a replaced incarnation or runner."""
        values = [(self.run_id, *call_values(row)) for row in rows]

        def work(conn: Connection, again: bool) -> None:
            _, newest = self._lock_run(conn, {row.key for row in rows}, spends=any(map(is_intent, rows)))
            if again and values and self._has_call(conn, values[0]):
                return
            fence = Fence(newest, self._where)
            for row in rows:
                fence.call(row)
            self.failpoints.hit("journal.before_commit")
            script(conn, *((INSERT_CALL, row_values) for row_values in values), COMMIT)

        self.link.transact(work, scripted=True)
        self.failpoints.hit("journal.after_commit")

    def calls(self, key: AttemptKey | None = None) -> Iterator[CallRow]:
        """One row per exchange: its result, or its intent when no result was written."""
        mine, more = ("run_id = %s", ()) if key is None else (MINE, place_of(key))
        order = "task_id, repeat, attempt, incarnation, seq, state"
        found = self._read(f"SELECT row FROM denominator.calls WHERE {mine} ORDER BY {order}", (self.run_id, *more))
        with self._in_words():
            rows = [from_json(CallRow, loads(text, self._where), self._where) for (text,) in found]
        return iter(latest_calls(rows))

    def call_rows(self) -> list[tuple[object, ...]]:
        """Every row of a call, in the order of CALL_FIELDS: intents too."""
        return self._read(f"SELECT {CALLS} FROM denominator.calls WHERE run_id = %s ORDER BY {CALLS}", (self.run_id,))

    def sha_at(self, seq: int) -> str:
        """The digest of one event; "" when there is none."""
        found = self._read(SHA_AT, (self.run_id, seq))
        return str(found[0][0]) if found else ""

    def claim(self, key: AttemptKey, seconds: float) -> Claim | None:
        """Take an attempt for a while by the server's clock; None while somebody's claim is not over."""
        claim = Claim(key, uuid4().hex)
        values = (self.run_id, *place_of(key), claim.token, seconds)
        taken = self.link.transact(lambda conn, _again: conn.execute(CLAIM, values).fetchone(), scripted=True)
        return claim if taken else None

    def renew(self, claim: Claim, seconds: float) -> bool:
        """Hold a claim for longer; False when it ran out or somebody else has the attempt."""
        values = (seconds, self.run_id, claim.token)
        held = self.link.transact(lambda conn, _again: conn.execute(RENEW, values).fetchone(), scripted=True)
        return held is not None

    def release(self, claim: Claim) -> None:
        """Give a claim back; one that is no longer held is left as it is."""
        sql = "DELETE FROM denominator.claims WHERE run_id = %s AND token = %s"
        self.link.transact(lambda conn, _again: conn.execute(sql, (self.run_id, claim.token)))

    def standing(self) -> Standing:
        """Where the run stands (ports.Journal)."""

        def work(conn: Connection, _again: bool) -> Standing:
            conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")  # one moment for all questions
            ask = lambda sql: conn.execute(sql.encode(), (self.run_id,)).fetchall()  # noqa: E731
            return read_standing(ask, self.run_id, keyed=True)

        with self._in_words():
            return self.link.transact(work)

    def verify(self, after: int = 0) -> list[str]:
        """Walk the chain behind an event, or all of it; every break is named. Empty means sound."""
        return chain_problems(self.events(after=after), after, self.sha_at(after) or FIRST)

    @contextmanager
    def lease(self) -> Iterator[None]:
        """Hold the run for this process. Raises RunInUseError while another holds it; what it takes over is fenced."""
        self.link.transact(lambda conn, _again: refuse_forgetful(conn, self.dsn))
        with held(self.dsn, self.run_id, self.clock.boot_id, self.lease_s) as token:
            self._lease = token
            try:
                yield
            finally:
                self._lease = ""

    def check_free(self) -> None:
        """Raise RunInUseError while another process holds the run; writes nothing."""
        check_free(self.link, self.run_id, self.clock.boot_id)

    def close(self) -> None:
        """End the connection, and those beside it."""
        for link in (self.link, *self.beside):
            link.close()

    @property
    def _where(self) -> str:
        return f"{self.dsn} run {self.run_id}"

    def _lock_run(
        self, conn: Connection, keys: set[AttemptKey], *, spends: bool = True
    ) -> tuple[tuple[int, str], Callable[[AttemptKey], int]]:
        """One writer of a run at a time; the last event and the newest incarnations, asked for in the same breath.

        FencedError when the run was taken over; what a call had cost before (not `spends`) is written all the same.
        """
        mine = (self.run_id,)
        holds, *rest = script(
            conn, BEGIN, (LOCK, mine), (HOLDS, mine), (LAST, mine), *((NEWEST, (*mine, *place_of(k))) for k in keys)
        )[1:]
        if spends and self._lease and holds != [(self._lease,)]:
            raise FencedError("another process has taken over this run", where=self._where)
        last = rest[0][0] if rest[0] else (0, FIRST)
        newest = {key: int(found[0][0] or 0) for key, found in zip(keys, rest[1:], strict=True)}
        return (int(last[0]), str(last[1])), newest.__getitem__

    def _place(self, drafts: tuple[Draft, ...], last: tuple[int, str], fence: Fence) -> list[tuple[Event, Values]]:
        seq, prev = last
        placed = []
        for draft in drafts:
            fence.draft(draft)
            event, values = place_event(draft, self.run_id, self.clock, seq + 1, prev)
            seq, prev = event.seq, event.sha
            placed.append((event, values))
        return placed

    def _is_there(self, conn: Connection, event: Event) -> bool:
        there = conn.execute(SHA_AT, (self.run_id, event.seq)).fetchone() == (event.sha,)
        if there:
            conn.execute("COMMIT")
        return there

    def _has_call(self, conn: Connection, values: tuple[object, ...]) -> bool:
        sql = f"SELECT row FROM denominator.calls WHERE {MINE} AND incarnation = %s AND seq = %s AND state = %s"
        there = conn.execute(sql, values[:-1]).fetchone() == (values[-1],)
        if there:
            conn.execute("COMMIT")
        return there

    def _read(self, sql: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        return self.link.transact(lambda conn, _again: conn.execute(sql, values).fetchall(), scripted=True)

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        try:
            yield
        except (ValueError, TypeError, InputError) as error:
            fix = "restore it from a copy; nothing was touched"
            raise UnknownStateError(f"the journal is damaged: {error}", where=self._where, fix=fix) from None
