"""The conformance suite of journals and blobs, for SQLite and for PostgreSQL."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from denominator.adapters.clock import SystemClock
from denominator.adapters.store.blobs import FolderBlobs
from denominator.adapters.store.dsn import parse_dsn
from denominator.adapters.store.postgres import PostgresJournal
from denominator.adapters.store.postgres_blobs import PostgresBlobs
from denominator.adapters.store.sqlite import SqliteJournal
from denominator.ports import Failpoints, Journal
from denominator.testing.blobs_suite import BLOB_CHECKS, BlobCheck, BlobsBench
from denominator.testing.journal_suite import CHECKS, Check, JournalBench
from denominator.testing.postgres_server import PostgresServer

KINDS = ("sqlite", "postgres")
DIRECT = (
    "UPDATE {0}events SET kind = 'x'",
    "DELETE FROM {0}events",
    "UPDATE {0}calls SET seq = 9",
    "DELETE FROM {0}calls",
)
ON_SERVER = ("TRUNCATE denominator.events", "TRUNCATE denominator.calls", "DELETE FROM denominator.runs", "TRUNCATE denominator.runs CASCADE")  # fmt: skip


def sqlite_bench(folder: Path) -> JournalBench:
    def opens(run_id: str, failpoints: Failpoints, *, create: bool = False) -> Journal:
        return SqliteJournal(folder / f"{run_id}.db", run_id, SystemClock(), failpoints, create=create)

    def direct(run_id: str, *statements: str) -> None:
        with closing(sqlite3.connect(folder / f"{run_id}.db", isolation_level=None)) as db:
            for sql in statements:
                db.execute(sql)

    def attack(sql: str) -> Callable[[str], None]:
        return lambda run_id: direct(run_id, sql.format(""))

    source = f"""
from pathlib import Path
from denominator.adapters.store.sqlite import SqliteJournal
def opens(run_id, failpoints):
    return SqliteJournal(Path({str(folder)!r}) / (run_id + ".db"), run_id, SystemClock(), failpoints)
"""
    tamper = "UPDATE events SET payload = '{\"n\":7}' WHERE seq = %d"
    return JournalBench(
        opens=opens, source=source, attacks=[attack(sql) for sql in DIRECT],
        tampers=lambda run_id, seq: direct(run_id, "DROP TRIGGER events_no_update", tamper % seq),
    )  # fmt: skip


def postgres_bench(server: PostgresServer) -> JournalBench:
    dsn = parse_dsn(server.dsn())

    def opens(run_id: str, failpoints: Failpoints, *, create: bool = False) -> Journal:
        return PostgresJournal(dsn, run_id, SystemClock(), failpoints, create=create)

    def attack(sql: str) -> Callable[[str], None]:
        def act(run_id: str) -> None:
            with psycopg.connect(dsn.text) as conn:
                conn.execute(sql.format("denominator.").encode())

        return act

    def tamper(run_id: str, seq: int) -> None:
        with psycopg.connect(dsn.text) as conn:
            conn.execute("ALTER TABLE denominator.events DISABLE TRIGGER no_change")
            conn.execute(
                "UPDATE denominator.events SET payload = '{\"n\":7}' WHERE run_id = %s AND seq = %s", (run_id, seq)
            )
            conn.execute("ALTER TABLE denominator.events ENABLE TRIGGER no_change")

    source = f"""
from denominator.adapters.store.dsn import parse_dsn
from denominator.adapters.store.postgres import PostgresJournal
def opens(run_id, failpoints):
    return PostgresJournal(parse_dsn({dsn.text!r}), run_id, SystemClock(), failpoints)
"""
    attacks = [attack(sql) for sql in (*DIRECT, *ON_SERVER)]
    return JournalBench(opens=opens, source=source, attacks=attacks, tampers=tamper)


@pytest.fixture(params=KINDS)
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[JournalBench]:
    if request.param == "sqlite":
        made = sqlite_bench(tmp_path)
    else:
        made = postgres_bench(request.getfixturevalue("postgres"))
    yield made
    made.close()


@pytest.fixture(params=KINDS)
def blobs(request: pytest.FixtureRequest, tmp_path: Path) -> BlobsBench:
    if request.param == "sqlite":
        return BlobsBench(opens=lambda: FolderBlobs(tmp_path / "blobs"), folder=tmp_path)
    server: PostgresServer = request.getfixturevalue("postgres")
    run = postgres_bench(server).begin()
    return BlobsBench(opens=lambda: PostgresBlobs(parse_dsn(server.dsn()), run.run_id), folder=tmp_path)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_journal_holds_to(check: Check, bench: JournalBench) -> None:
    assert check(bench) == []


@pytest.mark.parametrize("check", BLOB_CHECKS, ids=lambda check: check.__name__)
def test_blobs_hold_to(check: BlobCheck, blobs: BlobsBench) -> None:
    (blobs.folder / "blobs").mkdir()
    assert check(blobs) == []
