"""A host that is cut off in mid-transaction keeps its locks for seconds: the server is told to look after the network."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import pytest

from denominator.adapters.clock import SystemClock
from denominator.adapters.failpoints import NoFailpoints
from denominator.adapters.store.dsn import parse_dsn
from denominator.adapters.store.postgres import PostgresJournal
from denominator.testing.journal_bench import key_of
from denominator.testing.postgres_server import PostgresServer, postgres_server, why_not

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs_root,
    pytest.mark.skipif(
        os.geteuid() != 0 or not shutil.which("ip") or not shutil.which("nsenter"),
        reason="network namespaces need root, iproute2 and nsenter",
    ),
    pytest.mark.skipif(bool(why_not()), reason=why_not() or "-"),
]
OURS, THEIRS = "10.219.1.1", "10.219.1.2"
ALIKE = """
import sys
from denominator.adapters.store import postgres_link
from denominator.adapters.store.dsn import parse_dsn
postgres_link.SESSION["tcp_user_timeout"] = "3000"
hold = "BEGIN; UPDATE denominator.claims SET until = until WHERE run_id = '" + sys.argv[2] + "'"
many = "SELECT repeat('x', 1000) FROM generate_series(1, 200000)"
def work(conn, again):
    conn.execute(hold)
    print("held", flush=True)
    conn.execute("SELECT pg_sleep(2); " + many)  # the server has more to send than a cut line takes
link = postgres_link.Link(parse_dsn(sys.argv[1]))
link.open()
link.transact(work, scripted=True)
"""


def ip(*argv: str) -> None:
    subprocess.run(["ip", *argv], check=True, capture_output=True)


@contextmanager
def host() -> Iterator[str]:
    """A network namespace with a link to this one, whose end here is `v` and its name."""
    name = f"dnm{os.getpid() % 100000}"
    try:
        ip("netns", "add", name)
        ip("link", "add", f"v{name}", "type", "veth", "peer", "name", "eth0", "netns", name)
        ip("addr", "add", f"{OURS}/24", "dev", f"v{name}")
        ip("link", "set", f"v{name}", "up")
        ip("-n", name, "addr", "add", f"{THEIRS}/24", "dev", "eth0")
        ip("-n", name, "link", "set", "eth0", "up")
        yield name
    finally:
        subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)
        subprocess.run(["ip", "link", "del", f"v{name}"], check=False, capture_output=True)


@pytest.fixture
def server() -> Iterator[PostgresServer]:
    with postgres_server(listen="*") as one:
        with (one.root / "data" / "pg_hba.conf").open("a") as rules:
            rules.write(f"host all all {THEIRS}/32 scram-sha-256\n")
        one.restart()
        yield one


def test_a_row_that_a_cut_off_host_holds_is_free_within_the_user_timeout(server: PostgresServer) -> None:
    run_id = f"run-{uuid4().hex[:12]}"
    here = PostgresJournal(parse_dsn(server.dsn()), run_id, SystemClock(), NoFailpoints(), create=True)
    assert here.claim(key_of(here), 0.001) is not None
    with host() as name:
        far = subprocess.Popen(
            ["nsenter", f"--net=/run/netns/{name}", sys.executable, "-c", ALIKE, server.tcp_dsn(host=OURS), run_id],
            env=os.environ | {"PGPASSWORD": server.password, "PYTHONPATH": os.pathsep.join(sys.path)},
            stdout=subprocess.PIPE,
        )
        try:
            assert far.stdout is not None and far.stdout.readline() == b"held\n"
            time.sleep(0.5)  # its next statement is on its way
            ip("link", "set", f"v{name}", "down")
            began = time.monotonic()
            assert here.claim(key_of(here), 60) is not None, "waits for the row, and gets it"
            assert 1 < time.monotonic() - began < 20
        finally:
            far.kill()
            far.wait()
    here.close()
