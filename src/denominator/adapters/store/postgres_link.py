"""One connection to a PostgreSQL server that comes back when the server did."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Sequence
from threading import RLock
from typing import Any, TypeVar

import psycopg

from denominator.adapters.store.dsn import Dsn
from denominator.adapters.store.postgres_schema import OLDEST_SERVER
from denominator.adapters.store.postgres_words import hopeless, refused, soon, unreachable
from denominator.errors import MachineError

T = TypeVar("T")
Connection = psycopg.Connection[tuple[Any, ...]]
PATIENCE_S = 60.0
"""How long a server may be away in the middle of a run."""
OPENING_S = 15.0
"""How long a server that says it is starting may take when a run is opened."""
# A statement may wait for another writer's transaction; one whose client is gone is ended sooner than that. A client that
# is idle in a transaction is one thing; one that is cut off while the server sends to it, or waits for the rest of what it
# sends, is not idle: only the network can tell, so the server is asked to look after it (its own defaults are hours).
SESSION = {
    "synchronous_commit": "on",
    "statement_timeout": "60s",
    "lock_timeout": "50s",
    "idle_in_transaction_session_timeout": "20s",
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "3",
    "tcp_keepalives_count": "3",
    "tcp_user_timeout": "15000",
    "client_min_messages": "warning",
    "search_path": "denominator",
}
CONNECT: dict[str, Any] = {
    "connect_timeout": 10,
    "keepalives": 1,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
    "application_name": "denominator",
}


def script(conn: Connection, *parts: tuple[str, Sequence[object]]) -> list[list[tuple[Any, ...]]]:
    """Several statements in one journey, each seeing what was committed before it; the rows of those that have any."""
    cursor = psycopg.ClientCursor(conn)
    cursor.execute(";".join(sql for sql, _ in parts).encode(), [value for _, values in parts for value in values])
    found = []
    more: bool | None = True
    while more:
        if cursor.description is not None:
            found.append(cursor.fetchall())
        more = cursor.nextset()
    return found


class Link:
    """Transactions over one connection, for the threads of one process; a lost connection is made again."""

    def __init__(self, dsn: Dsn, *, patience_s: float = PATIENCE_S) -> None:
        self.dsn, self.patience_s = dsn, patience_s
        self._lock = RLock()
        self._conn: Connection | None = None
        self._pid = os.getpid()

    def open(self) -> None:
        """Connect for the first time: a server that is not there is said at once, one that starts is waited for."""
        until = time.monotonic() + OPENING_S
        with self._lock:
            while True:
                try:
                    self._connected()
                    return
                except psycopg.Error as error:
                    if not soon(error) or time.monotonic() > until:
                        raise unreachable(error, self.dsn, opening=True) from None
                time.sleep(0.1)

    def transact(self, work: Callable[[Connection, bool], T], *, scripted: bool = False) -> T:
        """Do `work` in one transaction, durable on return; `scripted` work sends its own BEGIN and COMMIT, or is one statement.

        When the connection is lost it is done again on a new one, and its second argument is true: the transaction
        before may have been committed without anybody hearing of it, so `work` has to look first.
        """
        again, lost_at, wait = False, 0.0, 0.05
        with self._lock:
            while True:
                try:
                    return self._once(self._connected(), work, again, scripted)
                except psycopg.Error as error:
                    if not self._lost():
                        raise refused(error, self.dsn) from None
                    lost_at = lost_at or time.monotonic()
                    if hopeless(error) or time.monotonic() > lost_at + self.patience_s:
                        raise unreachable(error, self.dsn, opening=False) from None
                    again = True
                time.sleep(wait)
                wait = min(wait * 2, 1.0)

    def close(self) -> None:
        """End the connection."""
        with self._lock:
            if self._conn is not None and self._pid == os.getpid():
                self._conn.close()
            self._conn = None

    def _once(self, conn: Connection, work: Callable[[Connection, bool], T], again: bool, scripted: bool) -> T:
        try:
            if scripted:
                return work(conn, again)
            conn.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
            done = work(conn, again)
            conn.execute("COMMIT")
            return done
        except BaseException:
            if not self._lost():
                conn.rollback()
            raise

    def _lost(self) -> bool:
        return self._conn is None or self._conn.closed or self._conn.broken

    def _connected(self) -> Connection:
        """The connection; a process that was forked has none of its own yet."""
        if self._pid != os.getpid():
            self._conn, self._pid = None, os.getpid()
        if self._conn is None or self._lost():
            self._conn = None
            self._conn = self._connect()
        return self._conn

    def _connect(self) -> Connection:
        # What the library would log is said by our own errors, which hold nothing secret.
        logging.getLogger("psycopg").setLevel(logging.CRITICAL)
        conn: Connection = psycopg.connect(self.dsn.text, autocommit=True, **self._asked())
        try:
            if conn.info.server_version < OLDEST_SERVER:
                what = f"the server is PostgreSQL {conn.info.server_version // 10000}"
                raise MachineError(what, where=str(self.dsn), fix=f"{OLDEST_SERVER // 10000} or newer is needed")
            sets = ", ".join(f"set_config('{name}', '{value}', false)" for name, value in SESSION.items())
            conn.execute(f"SELECT {sets}")
        except BaseException:
            conn.close()
            raise
        return conn

    def _asked(self) -> dict[str, Any]:
        """What every connection asks for, unless the address says something else."""
        return {name: value for name, value in CONNECT.items() if f"{name}=" not in self.dsn.text}
