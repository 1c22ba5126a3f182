"""Two Dask workers and PostgreSQL: killed workers, a restarted database, a cut network. Evidence: docs/evidence/workers.md."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from denominator.testing.postgres_server import PostgresServer, postgres_server, why_not
from workers_lab import Cluster, begin, children_of, cli, cluster, finish, opened, same_as

pytest.importorskip("distributed", reason="the extra `workers` is not installed")

pytestmark = [pytest.mark.e2e, pytest.mark.needs_bwrap]
RUN_S = 3000
SLOW_MS = 60_000


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[PostgresServer]:
    """A server of this test alone, which it may restart; it also listens where other hosts can come."""
    if why := why_not():
        pytest.skip(why)
    with postgres_server(listen="*") as found:
        monkeypatch.setenv("PGPASSWORD", found.password)
        yield found


def until(what: Callable[[], object], within_s: float = RUN_S) -> None:
    """Wait for something to be so."""
    deadline = time.monotonic() + within_s
    while not what():
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.2)


def count(server: PostgresServer, kind: str) -> int:
    """How many events of a kind there are."""
    sql = f"SELECT count(*) FROM denominator.events WHERE run_id = 'far' AND kind = '{kind}'"
    try:
        return int(server.run("psql", "-d", "postgres", "-tAc", sql))
    except Exception:
        return 0


def test_200_attempts_with_a_worker_killed_twice_and_the_database_restarted(
    tmp_path: Path, server: PostgresServer
) -> None:
    repeats = int(os.environ.get("WORKERS_REPEATS", "50"))
    attempts = 4 * repeats
    folder = begin(tmp_path / "b", repeats=repeats)
    code = finish(cli(folder, "run", "envelope.toml", "--run-id", "whole"), RUN_S)
    env = {"PGPASSWORD": server.password, "DENOMINATOR_SCRATCH": str(tmp_path / "scratch")}
    with cluster(tmp_path / "dask", 2, env) as dask:
        argv = ("--journal", server.tcp_dsn(), "--workers", f"dask://127.0.0.1:{dask.port}?claim=10")
        process = cli(folder, "run", "envelope.toml", "--run-id", "far", *argv)
        until(lambda: count(server, "closed") >= attempts // 8)
        until(lambda: dask.inner(0))
        first = dask.inner(0)
        os.kill(first, signal.SIGKILL)
        until(lambda: count(server, "closed") >= attempts // 3)
        server.restart(signal.SIGQUIT)
        until(lambda: count(server, "closed") >= attempts // 2)
        until(lambda: dask.inner(0))
        second = dask.inner(0)
        for pid in (*children_of(second, "worker_main"), second):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        assert finish(process, RUN_S) == code
    assert first != second
    same_as(folder, "far", "whole")
    run = opened(folder, "far")
    events = list(run.journal.events())
    run.journal.close()
    started = [e for e in events if e.kind == "started"]
    kinds = Counter(e.kind for e in events)
    assert kinds["closed"] == attempts
    assert max(Counter(e.key for e in started).values()) > 1
    print(
        json.dumps(
            {
                "attempts": attempts,
                "exit": code,
                "started": len(started),
                "incarnations beyond the first": len(started) - attempts,
                "trees applied again in another place": sum("reset" in e.payload for e in started),
                "worker processes": len({str(e.payload["place"]) for e in started}),
                "events": len(events),
                "ledger": "equal to the run of one process",
            }
        )
    )


def test_a_scheduler_that_dies_and_comes_back_is_found_again(tmp_path: Path, server: PostgresServer) -> None:
    folder = begin(tmp_path / "b", repeats=2, sleep_s=3)
    assert finish(cli(folder, "run", "envelope.toml", "--run-id", "whole"), RUN_S) == 0
    env = {"PGPASSWORD": server.password, "DENOMINATOR_SCRATCH": str(tmp_path / "scratch")}
    with cluster(tmp_path / "dask", 2, env) as dask:
        argv = ("--journal", server.tcp_dsn(), "--workers", f"dask://127.0.0.1:{dask.port}?claim=10")
        process = cli(folder, "run", "envelope.toml", "--run-id", "far", *argv)
        until(lambda: count(server, "started") >= 3)
        dask.close()
        dask.workers.clear()
        dask.start_scheduler()
        for _ in range(2):
            dask.add_worker()
        assert finish(process, RUN_S) == 0
    same_as(folder, "far", "whole")


def test_workers_finish_what_they_hold_when_the_coordinator_is_killed(tmp_path: Path, server: PostgresServer) -> None:
    folder = begin(tmp_path / "b", sleep_s=3)
    assert finish(cli(folder, "run", "envelope.toml", "--run-id", "whole"), RUN_S) == 0
    env = {"PGPASSWORD": server.password, "DENOMINATOR_SCRATCH": str(tmp_path / "scratch")}
    with cluster(tmp_path / "dask", 2, env) as dask:
        workers = ("--workers", f"dask://127.0.0.1:{dask.port}?claim=10")
        argv = ("--journal", server.tcp_dsn(), *workers)
        process = cli(folder, "run", "envelope.toml", "--run-id", "far", *argv)
        until(lambda: count(server, "started") >= 2)
        process.kill()
        process.communicate()
        until(lambda: count(server, "closed") >= 2)
        until(lambda: count(server, "closed") == count(server, "started"))
        ended = count(server, "closed")
        assert ended < 4, "somebody went on without being asked"
        assert finish(cli(folder, "resume", "far", *workers), RUN_S) == 0
        assert count(server, "started") == 4, "what was finished was done again"
    same_as(folder, "far", "whole")


@contextmanager
def hosts(names: tuple[str, ...]) -> Iterator[dict[str, str]]:
    """Network namespaces, each joined to this one by a link of its own: name -> its address (ours ends in .1)."""

    def ip(*argv: str) -> None:
        subprocess.run(["ip", *argv], check=True, capture_output=True)

    found = {}
    try:
        for number, name in enumerate(names, 1):
            ip("netns", "add", name)
            ip("link", "add", f"v{name}", "type", "veth", "peer", "name", "eth0", "netns", name)
            ip("addr", "add", f"10.217.{number}.1/24", "dev", f"v{name}")
            ip("link", "set", f"v{name}", "up")
            ip("-n", name, "addr", "add", f"10.217.{number}.2/24", "dev", "eth0")
            ip("-n", name, "link", "set", "eth0", "up")
            ip("-n", name, "link", "set", "lo", "up")
            found[name] = f"10.217.{number}.2"
        yield found
    finally:
        for name in names:
            subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)
            subprocess.run(["ip", "link", "del", f"v{name}"], check=False, capture_output=True)


def let_in(server: PostgresServer) -> None:
    """Other hosts may come, with the password; of those that are cut off the server finds out within seconds."""
    server.settings |= {"tcp_user_timeout": "5s", "tcp_keepalives_idle": "3", "tcp_keepalives_interval": "2"}
    server.settings |= {"tcp_keepalives_count": "2"}
    with (server.root / "data" / "pg_hba.conf").open("a") as rules:
        rules.write("host all all 10.217.0.0/16 scram-sha-256\n")
    server.restart()


@pytest.mark.needs_root
@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("ip"), reason="network namespaces need root and iproute2")
def test_a_worker_that_is_cut_off_in_mid_attempt_is_fenced(tmp_path: Path, server: PostgresServer) -> None:
    folder = begin(tmp_path / "b")
    assert finish(cli(folder, "run", "envelope.toml", "--run-id", "whole"), RUN_S) == 0
    let_in(server)
    with hosts(("dnmw1", "dnmw2")) as found, cluster(tmp_path / "dask", 0, {}) as dask:
        logs = cut_off_run(tmp_path, folder, server, dask, found)
        same_as(folder, "far", "whole", armed=True)
    said = [json.loads(line) for log in logs for line in log.read_text().splitlines()]
    fenced = [line for line in said if line["answer"]["word"] == "fenced"]
    assert [line for line in fenced if "is not written down" in line["answer"]["what"]], Counter(
        line["answer"]["word"] for line in said
    )
    print(
        json.dumps(
            {"answers": Counter(line["answer"]["word"] for line in said), "refused": fenced[0]["answer"]["what"]}
        )
    )


def cut_off_run(
    tmp_path: Path, folder: Path, server: PostgresServer, dask: Cluster, found: dict[str, str]
) -> list[Path]:
    """A run on two hosts of which the first loses its link in mid-attempt and gets it back; the logs of its workers."""
    os.killpg(dask.scheduler.pid, signal.SIGKILL)  # type: ignore[union-attr]
    dask.start_scheduler("0.0.0.0")
    logs = []
    for number, (name, address) in enumerate(found.items(), 1):
        log = tmp_path / f"{name}.jsonl"
        log.touch()
        logs.append(log)
        ours = f"10.217.{number}.1"
        dask.env = {
            "PGPASSWORD": server.password,
            "DENOMINATOR_SCRATCH": str(tmp_path / "scratch" / name),
            "DENOMINATOR_WORKER_LOG": str(log),
        }
        if number == 1:  # its first attempt has its patch, and is slow to write it down
            dask.env["DENOMINATOR_FAILPOINTS"] = f"agent.after=sleep:{SLOW_MS}@1"
        # Not `ip netns exec`: its new /sys lacks the control groups, and the worker is refused for being of another kind.
        dask.add_worker(f"tcp://{ours}:{dask.port}", address, ahead=("nsenter", f"--net=/run/netns/{name}"))
    argv = ("--journal", dsn_of(server), "--workers", f"dask://127.0.0.1:{dask.port}?claim=15")
    process = cli(folder, "run", "envelope.toml", "--run-id", "far", *argv)
    until(lambda: count(server, "started") >= 2, 300)
    time.sleep(1)
    subprocess.run(["ip", "link", "set", "vdnmw1", "down"], check=True)
    until(lambda: twice(server), 300)
    subprocess.run(["ip", "link", "set", "vdnmw1", "up"], check=True)
    until(lambda: any('"fenced"' in log.read_text() for log in logs), 300)
    assert finish(process, RUN_S) == 1  # no rate leaves a run that a failpoint was armed in
    return logs


def dsn_of(server: PostgresServer) -> str:
    """The server at whichever of our addresses a host can reach."""
    user = server.tcp_dsn().partition("//")[2].partition("@")[0]
    return f"postgresql://{user}@10.217.1.1:{server.port},10.217.2.1:{server.port}/postgres"


def twice(server: PostgresServer) -> bool:
    """Has somebody else begun an attempt again?"""
    sql = "SELECT count(*) FROM denominator.events WHERE run_id = 'far' AND kind = 'started' AND incarnation > 1"
    return int(server.run("psql", "-d", "postgres", "-tAc", sql)) > 0
