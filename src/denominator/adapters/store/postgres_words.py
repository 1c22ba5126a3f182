"""What a PostgreSQL server refuses, in words: whose fault it is and what to do. No message holds a password."""

from __future__ import annotations

import psycopg
from psycopg import errors as pg

from denominator.adapters.store.dsn import Dsn
from denominator.errors import DenominatorError, DuplicateError, InputError, MachineError, OpenPromisesError

RESUME = "make it reachable, then denominator resume"
SOON = ("starting up", "shutting down", "in recovery", "not yet accepting", "not accepting connections")
"""A server says so while it restarts."""
NEVER = (
    ("password", "the server does not take the password", "put the right one into PGPASSWORD or ~/.pgpass"),
    ("pg_hba", "the server does not let this machine or user in", "let it in with a line in the server's pg_hba.conf"),
    ("role ", "the server does not know the user", "name another user before the @"),
    ("database ", "the server has no such database", "make it (createdb), or name another one"),
    ("authentication", "the server does not take who asks", "put the right password into PGPASSWORD or ~/.pgpass"),
    ("server does not support SSL", "the server has no TLS and the address asks for it", "leave out sslmode"),
    ("session is read-only", "the server is a read-only replica", "name the primary server"),
    ("too many clients", "the server has no connection left", "raise max_connections, or use fewer workers"),
)


def said(error: psycopg.Error) -> str:
    """The first line of what the server or its library said."""
    text = error.diag.message_primary or str(error)
    return text.strip().partition("\n")[0][:300] or type(error).__name__


def soon(error: psycopg.Error) -> bool:
    """Is it a server on its way up or down?"""
    return any(word in str(error) for word in SOON)


def hopeless(error: psycopg.Error) -> bool:
    """Would asking again be in vain?"""
    return not soon(error) and "FATAL" in str(error) and any(word in str(error) for word, _, _ in NEVER)


def unreachable(error: psycopg.Error, dsn: Dsn, *, opening: bool) -> DenominatorError:
    """No connection: while a run is being opened nothing has happened yet, later promises stay open."""
    if not isinstance(error, psycopg.OperationalError):
        return InputError("the address of the journal cannot be used", where=str(dsn), fix="postgresql://USER@HOST/DB")
    for word, what, fix in NEVER:
        if word in str(error) and not soon(error):
            return MachineError(what, where=str(dsn), fix=fix)
    if opening:
        what = f"no server can be reached: {said(error)}"
        return MachineError(what, where=str(dsn), fix="start it, or name another one with --journal")
    what = "the server of the journal is gone; whether the last event was written shows when it is back"
    return OpenPromisesError(f"{what}: {said(error)}", where=str(dsn), fix=RESUME)


def refused(error: psycopg.Error, dsn: Dsn) -> DenominatorError:
    """A statement that the server did not carry out."""
    where = str(dsn)
    if isinstance(error, pg.UniqueViolation):
        return DuplicateError(f"already in the journal: {error.diag.constraint_name}", where=where)
    if isinstance(error, pg.ReadOnlySqlTransaction):
        return MachineError("the server is a read-only replica", where=where, fix="name the primary server")
    if isinstance(error, (pg.UndefinedTable, pg.InvalidSchemaName)):
        return InputError("this database holds no journals", where=where, fix="denominator run --journal makes one")
    if isinstance(error, (pg.InsufficientPrivilege, pg.FeatureNotSupported, pg.UndefinedFunction)):
        return MachineError(f"the server refuses: {said(error)}", where=where, fix="docs/formats/journal.md: rights")
    if isinstance(error, pg.ForeignKeyViolation):
        return InputError("the journal does not know this run", where=where, fix="denominator runs ls")
    if isinstance(error, (psycopg.OperationalError, psycopg.InternalError)):
        return OpenPromisesError(f"the journal cannot be written: {said(error)}", where=where, fix=RESUME)
    return InputError(f"the server refuses: {said(error)}", where=where)
