"""Runs whose journal and blobs lie in PostgreSQL: the same verbs, the same chain, a whole folder at the end, no password anywhere."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from denominator.adapters.clock import SystemClock
from denominator.adapters.failpoints import NoFailpoints
from denominator.adapters.store.dsn import parse_dsn
from denominator.adapters.store.postgres import PostgresJournal
from denominator.adapters.store.rows import event_values
from denominator.adapters.store.sqlite import SqliteJournal
from denominator.testing.postgres_server import PostgresServer, postgres_server, why_not
from e2e import runs

pytestmark = [pytest.mark.slow, pytest.mark.needs_bwrap]
CANARY = "pw-canary-5b1c9e"
READING = (("status",), ("runs", "ls"), ("spend",), ("labels",), ("card",), ("gate",), ("show", "double-it", "--run"))


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    """A server of these tests' own, whose password is a canary: one of the tests stops it."""
    if why := why_not():
        pytest.skip(why)
    with postgres_server(CANARY) as one:
        yield one


@pytest.fixture
def place(tmp_path: Path) -> Path:
    runs.make_pack(tmp_path, "double-it", "count-words")
    (tmp_path / "e.toml").write_text(runs.envelope([{"label": "A", "agent": "oracle"}]))
    return tmp_path


def typed(folder: Path, verb: tuple[str, ...], run_id: str, env: dict[str, str]) -> runs.Done:
    """A reading verb on one run."""
    argv = verb if verb[0] == "runs" else (*verb, run_id)
    return runs.cli(folder, *argv, "--runs-dir", "runs", env=env)


def test_a_run_on_a_server_ends_as_a_whole_folder_and_says_no_password(place: Path, server: PostgresServer) -> None:
    env = {"PGPASSWORD": CANARY}
    killed = runs.cli(
        place, "run", "e.toml", "--run-id", "far", "--journal", server.tcp_dsn(), "--runs-dir", "runs",
        env=env | {"DENOMINATOR_FAILPOINTS": "verify.before=kill@2"},
    )  # fmt: skip
    assert killed.code == -9, killed.err
    folder = place / "runs" / "far"
    assert not (folder / "journal.db").exists() and "copied" not in (folder / "journal.toml").read_text()
    said = [killed]
    for verb in READING:
        one = typed(place, verb, "far", env)
        assert one.code in (0, 4), (verb, one.code, one.err)
        said.append(one)
    wrong = typed(place, ("status",), "far", {"PGPASSWORD": "wrong" + CANARY})
    assert wrong.code == 2 and "does not take the password" in wrong.err
    early = runs.cli(place, "runs", "pull", "far", env=env)
    assert early.code == 4, early.err
    done = runs.cli(place, "resume", "far", "--runs-dir", "runs", env=env)
    assert done.code in (0, 1), done.err
    said += [wrong, early, done]

    journal = PostgresJournal(parse_dsn(server.dsn()), "far", SystemClock(), NoFailpoints())
    there = list(journal.events())
    here = SqliteJournal(folder / "journal.db", "far", SystemClock(), NoFailpoints())
    assert list(map(event_values, here.events())) == list(map(event_values, there))
    assert here.verify() == journal.verify() == []
    with closing(sqlite3.connect(folder / "journal.db")) as db:
        rows = db.execute("SELECT count(*) FROM calls").fetchone()[0]
    assert rows == len(journal.call_rows())
    here.close()
    journal.close()

    server.stop()
    try:
        for verb in READING[-3:]:
            one = typed(place, verb, "far", {})
            assert one.code in (0, 1), (verb, one.code, one.err)
            said.append(one)
        gone = runs.cli(place, "resume", "far", "--runs-dir", "runs", env=env)
        assert gone.code == 2 and "no server can be reached" in gone.err
        said.append(gone)
    finally:
        server.start()
    again = runs.cli(place, "resume", "far", "--runs-dir", "runs", env=env)
    assert again.code == done.code, again.err
    assert not any(CANARY in one.out + one.err for one in said)
    assert not [path for path in place.rglob("*") if path.is_file() and CANARY.encode() in path.read_bytes()]
    with psycopg.connect(server.dsn()) as conn:
        for table in ("events", "calls", "runs", "leases", "claims"):
            assert CANARY not in str(conn.execute(f"SELECT * FROM denominator.{table}").fetchall())


def test_an_address_with_a_password_is_refused_and_never_echoed(place: Path) -> None:
    url = f"postgresql://u:{CANARY}@127.0.0.1/d"
    done = runs.cli(place, "run", "e.toml", "--journal", url, "--runs-dir", "runs", "--dry-run")
    assert done.code == 2 and "holds a password" in done.err
    assert CANARY not in done.err + done.out
    assert not (place / "runs").exists()


def test_a_run_id_that_another_machine_has_is_refused(place: Path, server: PostgresServer) -> None:
    env = {"PGPASSWORD": CANARY}
    PostgresJournal(parse_dsn(server.dsn()), "taken", SystemClock(), NoFailpoints(), create=True).close()
    done = runs.cli(place, "run", "e.toml", "--run-id", "taken", "--journal", server.tcp_dsn(), env=env)
    assert done.code == 2 and "run id taken is in use" in done.err
    assert not (place / "runs" / "taken").exists()
