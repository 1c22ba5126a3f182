"""Commits a second of our journals beside the bare databases, on the same disk in one run, in alternating rounds.

The goal: `SqliteJournal.append` of one event a commit makes at least 0.8 of the commits of bare SQLite (WAL,
synchronous=FULL, one insert of the same bytes a commit). PostgreSQL's rate is printed beside a bare psycopg insert
(synchronous_commit=on) where a server can be had; it has no limit, a journey to the server is its price. Run
`python benchmarks/bench_journal.py [folder]`; it exits 1 below what is reached on a disk whose sync costs next to nothing.
"""

from __future__ import annotations

import os
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from denominator.adapters.clock import SystemClock
from denominator.adapters.failpoints import NoFailpoints
from denominator.adapters.store.rows import event_values
from denominator.adapters.store.sqlite import SqliteJournal
from denominator.ports import Journal
from denominator.records.events import Draft
from denominator.records.keys import AttemptKey
from denominator.testing.postgres_server import postgres_server, why_not

COMMITS = 200
ROUNDS = 11
RATIO_MIN, GOAL = 0.4, 0.8
Commit = Callable[[], object]


def draft(run_id: str, number: int) -> Draft:
    """An event as an attempt writes many: what the sandbox printed, as a blob."""
    key = AttemptKey(run_id, f"task-{number // 8 % 200:03}", 1, 1)
    payload = {"bytes": number, "note": "n" * 120}
    return Draft(
        kind="output", phase="agent", writer="sandbox", key=key, stream="stdout", blob="ab" * 32, payload=payload
    )


def appends(journal: Journal) -> Commit:
    """One event a call; they are made before the clock runs."""
    drafts = iter([draft(journal.run_id, number) for number in range(COMMITS * ROUNDS)])
    return lambda: journal.append(next(drafts))


def row_bytes(folder: Path) -> bytes:
    """The bytes of one event's row."""
    journal = SqliteJournal(folder / "one.db", "r", SystemClock(), NoFailpoints(), create=True)
    (event,) = journal.append(draft("r", 7))
    journal.close()
    return "|".join(map(str, event_values(event))).encode()


def bare_sqlite(folder: Path, row: bytes) -> Commit:
    """What SQLite itself can do."""
    db = sqlite3.connect(folder / "bare.db", isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=FULL")
    db.execute("CREATE TABLE rows (seq INTEGER PRIMARY KEY, row BLOB NOT NULL)")
    return lambda: db.execute("INSERT INTO rows (row) VALUES (?)", (row,))


@contextmanager
def on_server(row: bytes) -> Iterator[dict[str, Commit]]:
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
            "bare psycopg": lambda: conn.execute("INSERT INTO rows (row) VALUES (%s)", (row,)),
            "PostgresJournal": appends(journal),
        }
        journal.close()


def rate(commit: Commit) -> float:
    """Commits a second."""
    start = time.perf_counter()
    for _ in range(COMMITS):
        commit()
    return COMMITS / (time.perf_counter() - start)


def main() -> int:
    """Print every rate and the ratio; 1 when it is below the limit."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=sys.argv[1] if sys.argv[1:] else None)))
        row = row_bytes(folder)
        ours = SqliteJournal(folder / "ours.db", "r", SystemClock(), NoFailpoints(), create=True)
        each = {"bare SQLite": bare_sqlite(folder, row), "SqliteJournal": appends(ours)}
        each |= stack.enter_context(on_server(row))
        rates: dict[str, list[float]] = {name: [] for name in each}
        for number in range(ROUNDS):
            # Every other round runs backwards, so that nobody always comes first.
            for name in sorted(each, reverse=number % 2 == 1):
                rates[name].append(rate(each[name]))
        ours.close()
    for name, found in rates.items():
        print(
            f"{name:<16} {statistics.median(found):8.0f} commits a second (from {min(found):.0f} to {max(found):.0f})"
        )
    ratio = statistics.median(a / b for a, b in zip(rates["SqliteJournal"], rates["bare SQLite"], strict=True))
    load = os.getloadavg()[0]
    print(
        f"{len(row)} bytes a row, {ROUNDS} rounds of {COMMITS}, load {load:.1f}; "
        f"SqliteJournal/bare {ratio:.2f}, at least {RATIO_MIN}, goal {GOAL}"
    )
    return int(ratio < RATIO_MIN)


if __name__ == "__main__":
    raise SystemExit(main())
