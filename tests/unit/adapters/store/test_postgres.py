"""PostgreSQL as a journal: connections that are lost, servers that restart, leases of other hosts, refusals in words."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from denominator.adapters.clock import SystemClock
from denominator.adapters.failpoints import NoFailpoints
from denominator.adapters.store.dsn import Dsn, parse_dsn
from denominator.adapters.store.postgres import PostgresJournal
from denominator.adapters.store.postgres_blobs import PostgresBlobs
from denominator.adapters.store.postgres_lease import take
from denominator.adapters.store.postgres_link import CONNECT, SESSION, Link
from denominator.adapters.store.postgres_words import refused
from denominator.errors import (
    DenominatorError,
    DuplicateError,
    FencedError,
    InputError,
    MachineError,
    OpenPromisesError,
    RunInUseError,
)
from denominator.records.rows import CallRow
from denominator.testing.journal_bench import draft, key_of
from denominator.testing.postgres_server import PostgresServer, postgres_server, why_not
from unit.adapters.store.cutting import Middleman


class OtherHost(SystemClock):
    """The clock of another machine."""

    def __init__(self) -> None:
        super().__init__()
        self.boot_id = f"other-{uuid4().hex}"


def begun(server: PostgresServer, dsn: str = "", **more: float) -> PostgresJournal:
    run_id = f"run-{uuid4().hex[:12]}"
    where = parse_dsn(dsn or server.dsn())
    return PostgresJournal(where, run_id, SystemClock(), NoFailpoints(), create=True, **more)  # type: ignore[arg-type]


def again(journal: PostgresJournal, clock: SystemClock | None = None, **more: float) -> PostgresJournal:
    return PostgresJournal(journal.dsn, journal.run_id, clock or SystemClock(), NoFailpoints(), **more)  # type: ignore[arg-type]


@contextmanager
def middleman(server: PostgresServer, folder: Path) -> Iterator[tuple[Middleman, str]]:
    with Middleman(folder, server.root, server.port) as one:
        yield one, server.dsn().replace(str(server.root), str(folder))


@pytest.fixture
def short(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A path that is short enough for a socket."""
    import tempfile

    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        yield Path(name)


@pytest.mark.parametrize("how", ["before", "after"])
def test_a_commit_whose_answer_was_lost_is_written_once(how: str, postgres: PostgresServer, short: Path) -> None:
    with middleman(postgres, short) as (man, dsn):
        journal = begun(postgres, dsn)
        key = key_of(journal)
        man.cut = how
        written = journal.append(draft("promised", key), draft("started", key), draft("output", key, n=1))
        assert man.cuts == 1
        assert list(journal.events()) == written
        with psycopg.connect(postgres.dsn()) as conn:
            boots = conn.execute(
                "SELECT count(DISTINCT sha) FROM denominator.events WHERE run_id = %s", (journal.run_id,)
            )
            assert boots.fetchone() == (3,)
        man.cut = how
        journal.put_calls(CallRow(key=key, seq=1), CallRow(key=key, seq=2))
        man.cut = how
        claim = journal.claim(key, 600)
        assert claim is not None and journal.renew(claim, 600)
        assert man.cuts == 3
        man.cut = how
        with pytest.raises(DuplicateError):  # a real second promise is none of the lost ones
            journal.append(draft("promised", key))
        man.cut = how
        with closing(PostgresBlobs(journal.dsn, journal.run_id)) as blobs:
            assert blobs.get(blobs.put(b"x" * 100)) == b"x" * 100
        assert [row.seq for row in journal.calls()] == [1, 2]
        assert len(list(journal.events())) == 3 and journal.verify() == []
        journal.close()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT])
def test_writers_outlive_a_restart_of_the_server_and_write_once(how: int, postgres: PostgresServer) -> None:
    journals = [begun(postgres)]
    journals += [again(journals[0]) for _ in range(2)]
    until, done = threading.Event(), [0, 0, 0]

    def write(number: int) -> None:
        while not until.is_set():
            journals[number].append(
                *(draft("output", key_of(journals[number]), who=number, n=done[number]) for _ in range(2))
            )
            done[number] += 1

    threads = [threading.Thread(target=write, args=(n,)) for n in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(2):
        while min(done) < 5:
            time.sleep(0.01)
        postgres.restart(how)
        mark = list(done)
        while any(now < then + 3 for now, then in zip(done, mark, strict=True)):
            time.sleep(0.01)
    until.set()
    for thread in threads:
        thread.join()
    seen = [(e.payload["who"], e.payload["n"]) for e in journals[0].events()]
    wanted = [(who, n) for who in range(3) for n in range(done[who]) for _ in range(2)]
    assert sorted(seen) == sorted(wanted)  # type: ignore[type-var]
    assert journals[0].verify() == []
    for journal in journals:
        journal.close()


def test_a_server_that_stays_away_is_said_and_the_journal_goes_on_when_it_is_back(postgres: PostgresServer) -> None:
    journal = begun(postgres)
    journal.append(draft("run.started", None))
    journal.link.patience_s = 0.2
    postgres.stop()
    try:
        with pytest.raises(OpenPromisesError, match="the server of the journal is gone"):
            journal.append(draft("output", None))
        with pytest.raises(MachineError, match="no server can be reached"):
            again(journal)
    finally:
        postgres.start()
    journal.append(draft("run.stopped", None))
    assert [e.kind for e in journal.events()] == ["run.started", "run.stopped"]
    journal.close()


def test_another_host_waits_until_the_lease_is_over_and_who_lost_it_writes_nothing(postgres: PostgresServer) -> None:
    mine = begun(postgres, lease_s=600)
    far = again(mine, OtherHost())
    with mine.lease():
        with pytest.raises(RunInUseError, match="wait .* s"), far.lease():
            pass
        with psycopg.connect(mine.dsn.text) as conn:
            conn.execute("UPDATE denominator.leases SET until = clock_timestamp() WHERE run_id = %s", (mine.run_id,))
        mine.append(draft("run.started", None))
        with far.lease():
            far.append(draft("run.started", None))
            with pytest.raises(FencedError, match="taken over"):
                mine.append(draft("run.stopped", None))
            with pytest.raises(FencedError, match="taken over"):
                mine.put_calls(CallRow(key=key_of(mine), seq=1))
            mine.put_calls(CallRow(key=key_of(mine), seq=2, outcome="ok"))  # spend is spend
        assert len(list(far.events())) == 2
        assert [row.seq for row in far.calls()] == [2]
    with far.lease():
        far.append(draft("run.started", None))
    mine.close()
    far.close()


def test_a_lease_is_renewed_while_it_is_held(postgres: PostgresServer) -> None:
    mine = begun(postgres, lease_s=0.6)
    far = again(mine, OtherHost())
    with mine.lease():
        until = time.monotonic() + 1.5
        while time.monotonic() < until:
            with pytest.raises(RunInUseError), far.lease():
                pass
            time.sleep(0.05)
    with far.lease():
        pass
    mine.close()
    far.close()


def test_a_dead_process_of_this_boot_holds_nothing_and_one_of_another_boot_does(postgres: PostgresServer) -> None:
    journal = begun(postgres)
    pid = os.fork()
    if pid == 0:
        take(Link(journal.dsn), journal.run_id, SystemClock().boot_id, 600)
        os._exit(0)
    os.waitpid(pid, 0)
    with pytest.raises(RunInUseError), again(journal, OtherHost()).lease():
        pass
    with journal.lease():
        pass
    journal.close()


def refusal(dsn: str, run_id: str = "r", *, create: bool = False) -> DenominatorError:
    with pytest.raises(DenominatorError) as caught:
        PostgresJournal(parse_dsn(dsn), run_id, SystemClock(), NoFailpoints(), create=create)
    assert "canary" not in str(caught.value)
    return caught.value


def test_refusals_are_in_words_and_hold_no_password(postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "holds no journals" in str(refusal(postgres.dsn("template1")))
    begun(postgres).close()
    monkeypatch.setenv("PGPASSWORD", "canary-wrong-pw")
    for dsn, says in (
        (postgres.tcp_dsn(), "does not take the password"),
        (postgres.dsn("nowhere"), "no such database"),
        (postgres.dsn().replace("denominator@", "stranger@"), "does not know the user"),
        ("postgresql://u@127.0.0.1:1/d", "no server can be reached"),
        (f"postgresql://u@/d?host={postgres.root}/none", "no server can be reached"),
    ):
        error = refusal(dsn)
        assert isinstance(error, MachineError) and says in error.what, error
        assert error.fix
    monkeypatch.delenv("PGPASSWORD")
    assert "password" in refusal(postgres.tcp_dsn()).what
    missing = refusal(postgres.dsn(), "never-begun")
    assert isinstance(missing, InputError) and "has no run never-begun" in missing.what
    journal = begun(postgres)
    assert "is in use" in refusal(postgres.dsn(), journal.run_id, create=True).what
    journal.close()


def test_a_replica_and_a_server_that_does_not_sync_are_refused_for_writing(postgres: PostgresServer) -> None:
    journal = begun(postgres)
    journal.append(draft("run.started", None))
    journal.close()
    postgres.settings["default_transaction_read_only"] = "on"
    postgres.restart()
    try:
        reading = again(journal)
        assert len(list(reading.events())) == 1
        with pytest.raises(MachineError, match="read-only replica"):
            reading.append(draft("output", None))
        assert "read-only" in refusal(postgres.dsn(), "new", create=True).what
        reading.close()
        del postgres.settings["default_transaction_read_only"]
        postgres.settings["fsync"] = "off"
        postgres.restart()
        assert "fsync off" in refusal(postgres.dsn(), "new", create=True).what
        looking = again(journal)
        assert len(list(looking.events())) == 1, "what is there can be read"
        with pytest.raises(MachineError, match="fsync off"), looking.lease():
            pass
        looking.close()
    finally:
        postgres.settings.clear()
        postgres.restart()


def test_tables_of_another_version_are_refused(postgres: PostgresServer) -> None:
    begun(postgres).close()
    change = "UPDATE denominator.meta SET value = '{}' WHERE name = 'version'"
    with psycopg.connect(postgres.dsn(), autocommit=True) as conn:
        conn.execute(change.format(99).encode())
        try:
            assert "version 99" in refusal(postgres.dsn(), "x").what
        finally:
            conn.execute(change.format(1).encode())


def test_what_the_journal_needs_is_asked_of_every_connection(postgres: PostgresServer) -> None:
    with psycopg.connect(postgres.dsn()) as plain:
        assert plain.execute("SHOW synchronous_commit").fetchone() == ("off",)
    journal = begun(postgres)
    shown = journal.link.transact(lambda conn, _again: conn.execute("SHOW synchronous_commit").fetchone())
    assert shown == ("on",)
    journal.close()


def test_a_server_of_which_only_the_unprivileged_part_is_given_works_once_the_tables_are_there(
    postgres: PostgresServer,
) -> None:
    begun(postgres).close()
    with psycopg.connect(postgres.dsn(), autocommit=True) as conn:
        conn.execute("DROP ROLE IF EXISTS worker")
        conn.execute("CREATE ROLE worker LOGIN")
        for right in (
            "USAGE ON SCHEMA denominator",
            "SELECT ON ALL TABLES IN SCHEMA denominator",
            "INSERT ON denominator.runs, denominator.events, denominator.calls, denominator.blobs",
            "INSERT, UPDATE, DELETE ON denominator.claims, denominator.leases",
        ):
            conn.execute(f"GRANT {right} TO worker".encode())
        try:
            journal = begun(postgres, postgres.dsn().replace("denominator@", "worker@"))
            with journal.lease():
                journal.append(draft("promised", key_of(journal)))
                claim = journal.claim(key_of(journal), 5)
                assert claim is not None
                journal.release(claim)
            with closing(PostgresBlobs(journal.dsn, journal.run_id)) as blobs:
                assert blobs.get(blobs.put(b"x")) == b"x"
            journal.close()
        finally:
            conn.execute("DROP OWNED BY worker")
            conn.execute("DROP ROLE worker")


@pytest.mark.parametrize("what", ["a journal", "its blobs", "a lease"])
def test_what_a_session_asks_of_the_server_and_of_the_network_is_in_force(
    what: str, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGPASSWORD", postgres.password)
    journal = begun(postgres, postgres.tcp_dsn())  # a unix socket has no keepalives
    link = {"a journal": journal.link, "its blobs": PostgresBlobs(journal.dsn, journal.run_id).link}.get(what)
    link = link or Link(journal.dsn)
    shown, asked = link.transact(
        lambda conn, _again: (
            {name: conn.execute(f"SHOW {name}".encode()).fetchone() for name in SESSION},
            conn.info.get_parameters(),
        )
    )
    in_ms = {"50s": "50s", "60s": "1min"}
    assert {name: value[0] for name, value in shown.items() if value} == {
        name: in_ms.get(value, value) for name, value in SESSION.items()
    }
    assert {name: asked.get(name, "1" if name == "keepalives" else "") for name in CONNECT} == {
        name: str(value) for name, value in CONNECT.items()
    }
    for name in ("tcp_keepalives_idle", "tcp_user_timeout", "idle_in_transaction_session_timeout", "lock_timeout"):
        assert name in shown
    link.close()
    journal.close()


def test_who_stands_still_in_a_transaction_is_ended_and_the_next_one_gets_the_row(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SESSION, "idle_in_transaction_session_timeout", "300ms")
    journal = begun(postgres)
    other, key = again(journal), key_of(journal)
    claim = journal.claim(key, 0.001)
    assert claim is not None

    def stands_still(conn: psycopg.Connection[tuple[object, ...]], again: bool) -> None:
        if not again:
            conn.execute("UPDATE denominator.claims SET until = until WHERE token = %s", (claim.token,))
            assert other.claim(key, 60) is not None  # waits for the row
            conn.execute("SELECT 1")

    journal.link.transact(stands_still)
    other.close()
    journal.close()


@pytest.mark.parametrize(
    "error",
    [
        psycopg.errors.DiskFull("could not extend file"),
        psycopg.errors.IoError("could not write block"),
        psycopg.errors.LockNotAvailable("canceling statement due to lock timeout"),
        psycopg.errors.QueryCanceled("canceling statement due to statement timeout"),
        psycopg.errors.OutOfMemory("out of memory"),
        psycopg.errors.DeadlockDetected("deadlock detected"),
        psycopg.errors.InternalError_("could not read block"),
        psycopg.errors.DataCorrupted("invalid page"),
        psycopg.errors.InFailedSqlTransaction("current transaction is aborted"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_whatever_the_server_fails_with_leaves_promises_open(error: psycopg.Error) -> None:
    said = refused(error, parse_dsn("postgresql://u@h/d"))
    assert isinstance(said, OpenPromisesError)
    assert said.exit == 4 and "resume" in said.fix


def test_a_server_can_be_had_or_it_is_said_why_not() -> None:
    if why := why_not():
        pytest.skip(why)
    with postgres_server() as one:
        root = one.root
        assert one.run("psql", "-Atc", "SHOW fsync", "postgres").strip() == "on"
        assert isinstance(parse_dsn(one.dsn()), Dsn)
    assert not root.exists()
