"""Durable events a second of our journals beside the bare databases, on the same disk in one run, in alternating rounds.

What a run does is measured with EIGHT writers at once, for its slots are threads that append one event each to one journal
and go on when it is durable. Beside it the same eight threads make one insert of the same bytes a commit in bare SQLite
(WAL, synchronous=FULL), over one connection under a lock and over a connection each; the faster of the two is the peer.
Ours commits for all who wait (group commit), which a plain user of SQLite would have to build: that is why it keeps up
although each event costs a digest, a chain and an index more. Asserted: at least 0.8 of the peer.

With ONE writer nobody shares a commit, so a bare insert cannot be reached where a sync costs next to nothing: the digest,
the payload's text and the indexes of an event cost about as much processor time as such a commit. That ratio is printed
and has the lower limit of what is reached. PostgreSQL's rate is printed beside a bare psycopg insert
(synchronous_commit=on) where a server can be had; it has no limit, a journey to the server is its price.

`python benchmarks/bench_journal.py [folder]`; it exits 1 below a limit.
"""

from __future__ import annotations

import os
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Barrier, Lock

from denominator.adapters.clock import SystemClock
from denominator.adapters.failpoints import NoFailpoints
from denominator.adapters.store.rows import event_values
from denominator.adapters.store.sqlite import SqliteJournal
from denominator.ports import Journal
from denominator.records.events import Draft
from denominator.records.keys import AttemptKey
from denominator.testing.postgres_server import postgres_server, why_not

EVENTS = 400
"""Of one measurement, by all writers together."""
ROUNDS = 15
WRITERS = 8
RATIO_MIN, ALONE_MIN = 0.8, 0.4
BARE = "INSERT INTO rows (row) VALUES (?)"
Write = Callable[[int], object]
"""One durable event of one writer."""


def draft(run_id: str, number: int) -> Draft:
    """An event as an attempt writes many: what the sandbox printed, as a blob."""
    key = AttemptKey(run_id, f"task-{number // 8 % 200:03}", 1, 1)
    payload = {"bytes": number, "note": "n" * 120}
    return Draft(
        kind="output", phase="agent", writer="sandbox", key=key, stream="stdout", blob="ab" * 32, payload=payload
    )


def appends(journal: Journal, writers: int = 1) -> Write:
    """One event a call; they are made before the clock runs. Each writer has attempts of its own."""
    each = EVENTS * ROUNDS // writers
    drafts = [iter([draft(journal.run_id, each * one + n) for n in range(each)]) for one in range(writers)]
    return lambda writer: journal.append(next(drafts[writer]))


def row_bytes(folder: Path) -> bytes:
    """The bytes of one event's row."""
    journal = SqliteJournal(folder / "one.db", "r", SystemClock(), NoFailpoints(), create=True)
    (event,) = journal.append(draft("r", 7))
    journal.close()
    return "|".join(map(str, event_values(event))).encode()


def bare_sqlite(path: Path) -> sqlite3.Connection:
    """A connection as a plain user makes it."""
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=30)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=FULL")
    db.execute("CREATE TABLE IF NOT EXISTS rows (seq INTEGER PRIMARY KEY, row BLOB NOT NULL)")
    return db


def alone(folder: Path, row: bytes) -> Write:
    """What SQLite itself can do."""
    db = bare_sqlite(folder / "alone.db")
    return lambda _writer: db.execute(BARE, (row,))


def shared(folder: Path, row: bytes) -> Write:
    """Threads over one connection, one after the other."""
    db, lock = bare_sqlite(folder / "shared.db"), Lock()

    def write(_writer: int) -> None:
        with lock:
            db.execute(BARE, (row,))

    return write


def own(folder: Path, row: bytes) -> Write:
    """Threads with a connection each; SQLite lets them wait."""
    dbs = [bare_sqlite(folder / "own.db") for _ in range(WRITERS)]
    return lambda writer: dbs[writer].execute(BARE, (row,))


@contextmanager
def on_server(row: bytes) -> Iterator[dict[str, Write]]:
    """The same two on a private server, or neither."""
    if why := why_not():
        print(f"PostgreSQL: not measured: {why}")
        yield {}
        return
    import psycopg

    from denominator.adapters.store.dsn import parse_dsn
    from denominator.adapters.store.postgres import PostgresJournal

    with postgres_server() as server, psycopg.connect(server.dsn(), autocommit=True) as conn:
        conn.execute("SET synchronous_commit = on")
        conn.execute("CREATE TABLE rows (seq bigserial PRIMARY KEY, row bytea NOT NULL)")
        journal = PostgresJournal(parse_dsn(server.dsn()), "r", SystemClock(), NoFailpoints(), create=True)
        yield {
            "bare psycopg": lambda _writer: conn.execute("INSERT INTO rows (row) VALUES (%s)", (row,)),
            "PostgresJournal": appends(journal),
        }
        journal.close()


def rate(write: Write, writers: int) -> float:
    """Durable events a second of so many threads."""
    start = Barrier(writers + 1)

    def run(writer: int) -> None:
        start.wait()
        for _ in range(EVENTS // writers):
            write(writer)

    with ThreadPoolExecutor(writers) as pool:
        done = [pool.submit(run, writer) for writer in range(writers)]
        start.wait()
        begun = time.perf_counter()
        for one in done:
            one.result()
        return EVENTS / (time.perf_counter() - begun)


def ratio(ours: list[float], peer: list[float]) -> float:
    """The median of what each round says."""
    return statistics.median(a / b for a, b in zip(ours, peer, strict=True))


def measured(writes: dict[str, tuple[Write, int]]) -> dict[str, list[float]]:
    """The rate of each in every round; every other round runs backwards, so that nobody always comes first."""
    rates: dict[str, list[float]] = {name: [] for name in writes}
    for number in range(ROUNDS):
        for name in sorted(writes, reverse=number % 2 == 1):
            rates[name].append(rate(*writes[name]))
    return rates


def main() -> int:
    """Print every rate and both ratios; 1 when one is below its limit."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=sys.argv[1] if sys.argv[1:] else None)))
        row = row_bytes(folder)
        one, many = (
            SqliteJournal(folder / f"ours-{name}.db", "r", SystemClock(), NoFailpoints(), create=True)
            for name in ("one", "many")
        )
        writes: dict[str, tuple[Write, int]] = {
            "1 writer, bare SQLite": (alone(folder, row), 1),
            "1 writer, SqliteJournal": (appends(one), 1),
            f"{WRITERS} writers, bare SQLite, one connection": (shared(folder, row), WRITERS),
            f"{WRITERS} writers, bare SQLite, one each": (own(folder, row), WRITERS),
            f"{WRITERS} writers, SqliteJournal": (appends(many, WRITERS), WRITERS),
        }
        on = stack.enter_context(on_server(row))
        rates = measured(writes | {f"1 writer, {name}": (write, 1) for name, write in on.items()})
        assert one.verify() == many.verify() == []
        one.close()
        many.close()
    bare, ours, by_lock, each, ours_many = (rates[name] for name in writes)
    peer = max(by_lock, each, key=statistics.median)
    for name, found in rates.items():
        print(f"{name:<40} {statistics.median(found):8.0f} events a second (from {min(found):.0f} to {max(found):.0f})")
    together, single = ratio(ours_many, peer), ratio(ours, bare)
    print(f"{len(row)} bytes a row, {ROUNDS} rounds of {EVENTS} events, load {os.getloadavg()[0]:.1f}")
    print(f"{WRITERS} writers: {together:.2f} of the faster bare one, at least {RATIO_MIN}")
    print(f"1 writer: {single:.2f}, at least {ALONE_MIN}")
    return int(together < RATIO_MIN or single < ALONE_MIN)


if __name__ == "__main__":
    raise SystemExit(main())
