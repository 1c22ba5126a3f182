"""Who runs a run, across hosts: a row with an end by the server's clock, renewed while the run goes on."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from uuid import uuid4

from denominator.adapters.store.dsn import Dsn
from denominator.adapters.store.lease import Holder, alive, holder_of_this_process
from denominator.adapters.store.postgres_link import Connection, Link
from denominator.adapters.store.postgres_schema import LOCK
from denominator.errors import DenominatorError, RunInUseError

LEASE_S = 30.0
"""A holder that was not heard of for so long is taken for dead by other hosts."""
HELD = """
SELECT token, pid, boot_id, start_time, host, ceil(extract(epoch FROM until - clock_timestamp()))::int
FROM denominator.leases WHERE run_id = %s
"""
TAKE = """
INSERT INTO denominator.leases VALUES (%s, %s, %s, %s, %s, %s, clock_timestamp() + make_interval(secs => %s))
ON CONFLICT (run_id) DO UPDATE SET token = excluded.token, pid = excluded.pid, boot_id = excluded.boot_id,
  start_time = excluded.start_time, host = excluded.host, until = excluded.until
"""
RENEW = """
UPDATE denominator.leases SET until = clock_timestamp() + make_interval(secs => %s)
WHERE run_id = %s AND token = %s
"""
GIVE_BACK = "DELETE FROM denominator.leases WHERE run_id = %s AND token = %s"


def this_boot(boot_id: str) -> str:
    """Boot id and process namespace: only within both can a process be looked up by its pid."""
    try:
        return f"{boot_id} {Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return boot_id


def take(link: Link, run_id: str, boot_id: str, seconds: float) -> str:
    """Take the run and return the token of the lease. Raises RunInUseError while somebody else has it."""
    token, boot = uuid4().hex, this_boot(boot_id)
    mine = holder_of_this_process(boot)

    def work(conn: Connection, _again: bool) -> None:
        conn.execute(LOCK, (run_id,))
        _refuse_held(conn, link, run_id, boot, token)
        values = (run_id, token, mine.pid, mine.boot_id, mine.start_time, platform.node() or "unknown", seconds)
        conn.execute(TAKE, values)

    link.transact(work)
    return token


def check_free(link: Link, run_id: str, boot_id: str) -> None:
    """Raise RunInUseError while somebody has the run; takes nothing."""
    boot = this_boot(boot_id)
    link.transact(lambda conn, _again: _refuse_held(conn, link, run_id, boot))


def _refuse_held(conn: Connection, link: Link, run_id: str, boot: str, mine: str = "") -> None:
    row = conn.execute(HELD, (run_id,)).fetchone()
    if row is not None and row[0] != mine and row[5] > 0 and not _dead(Holder(*row[1:4]), boot):
        what = f"process {row[1]} on {row[4]} is working on this run"
        fix = f"wait for it, or stop it; if it is gone, wait {row[5]} s"
        raise RunInUseError(what, where=f"{link.dsn} run {run_id}", fix=fix)


def _dead(holder: Holder, boot: str) -> bool:
    """Dead for certain: it is of this boot and namespace, and not there."""
    return holder.boot_id == boot and not alive(holder, boot)


@contextmanager
def held(dsn: Dsn, run_id: str, boot_id: str, seconds: float = LEASE_S) -> Iterator[str]:
    """Hold a run and renew the lease beside the work, on a connection of its own. Yields the token."""
    link = Link(dsn)
    try:
        token = take(link, run_id, boot_id, seconds)
        over = Event()
        keeper = Thread(target=_renew, args=(link, run_id, token, seconds, over), name="lease", daemon=True)
        keeper.start()
        try:
            yield token
        finally:
            over.set()
            link.patience_s = 0.0
            keeper.join()
            # A server that is gone now has the lease run out by itself.
            with suppress(DenominatorError):
                link.transact(lambda conn, _again: conn.execute(GIVE_BACK, (run_id, token)))
    finally:
        link.close()


def _renew(link: Link, run_id: str, token: str, seconds: float, over: Event) -> None:
    """Renew until it is over; a lease that somebody took is not taken back, and appends notice it."""
    while not over.wait(seconds / 3):
        with suppress(DenominatorError):
            link.transact(lambda conn, _again: conn.execute(RENEW, (seconds, run_id, token)))
