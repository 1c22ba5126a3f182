"""Whether a server can have a run's journal, has it already, and the making of both. Each call is within a transaction."""

from __future__ import annotations

from denominator.adapters.store.dsn import Dsn
from denominator.adapters.store.postgres_link import Connection
from denominator.adapters.store.postgres_schema import MAKING, STATEMENTS, VERSION
from denominator.errors import InputError, MachineError


def refuse_forgetful(conn: Connection, dsn: Dsn) -> None:
    """A server that does not sync loses what it said was written."""
    off = conn.execute("SELECT name FROM pg_settings WHERE name IN ('fsync', 'full_page_writes') AND setting = 'off'")
    if name := off.fetchone():
        what = f"the server runs with {name[0]} off: what it reports as written is lost in a power cut"
        raise MachineError(what, where=str(dsn), fix=f"turn {name[0]} on, or name another server")


def begin(conn: Connection, dsn: Dsn, run_id: str, made_by: str) -> None:
    """Make the tables where there are none, and the run in them; `made_by` knows its own run again after a lost answer."""
    refuse_forgetful(conn, dsn)
    conn.execute("SELECT pg_advisory_xact_lock(%s)", (MAKING,))
    if conn.execute("SELECT to_regclass('denominator.meta')").fetchone() == (None,):
        for statement in STATEMENTS:
            conn.execute(statement.encode())
    _check_version(conn, dsn)
    known = conn.execute("SELECT made_by FROM denominator.runs WHERE run_id = %s", (run_id,)).fetchone()
    if known is None:
        conn.execute("INSERT INTO denominator.runs (run_id, made_by) VALUES (%s, %s)", (run_id, made_by))
    elif known != (made_by,):
        fix = "choose another --run-id; a run of another machine may have this one"
        raise InputError(f"run id {run_id} is in use there", where=str(dsn), fix=fix)


def check(conn: Connection, dsn: Dsn, run_id: str) -> None:
    """Raise InputError when the server has no such run, or tables that we do not know."""
    _check_version(conn, dsn)
    if conn.execute("SELECT 1 FROM denominator.runs WHERE run_id = %s", (run_id,)).fetchone() is None:
        what = f"the server has no run {run_id}"
        raise InputError(what, where=str(dsn), fix="name the server and database that it was begun in")


def _check_version(conn: Connection, dsn: Dsn) -> None:
    row = conn.execute("SELECT value FROM denominator.meta WHERE name = 'version'").fetchone()
    if row != (str(VERSION),):
        known = row[0] if row else "none"
        what = f"journal version {known} in the server is not known"
        raise InputError(what, where=str(dsn), fix="use the program version that made its tables")
