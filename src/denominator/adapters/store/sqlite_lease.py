"""Who holds a run in SQLite: a row that names a process; the lock beside the journal says more (`file_lock`)."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from denominator.adapters.store.lease import Holder, alive, holder_of_this_process
from denominator.errors import RunInUseError
from denominator.ports import Clock

TAKE = "INSERT OR REPLACE INTO lease VALUES (1, ?, ?, ?, ?)"


def take(db: sqlite3.Connection, path: Path, clock: Clock, *, locked: bool) -> None:
    """Write this process down as the holder; `locked`: nobody else has the lock. Raises RunInUseError. Within a transaction."""
    mine, other = holder_of_this_process(clock.boot_id), _holder(db)
    # A row of this very process, whose lock nobody had, is one that it could not take away.
    if not (other == mine and locked):
        _refuse(other, path, clock)
    db.execute(TAKE, (mine.pid, mine.boot_id, mine.start_time, clock.wall()))


def refuse_held(db: sqlite3.Connection, path: Path, clock: Clock) -> None:
    """Raise RunInUseError while the process of the row lives."""
    _refuse(_holder(db), path, clock)


def give_back(db: sqlite3.Connection) -> None:
    """Take the row of this process away."""
    db.execute("DELETE FROM lease WHERE pid = ?", (os.getpid(),))


def in_use(path: Path, pid: int = 0) -> RunInUseError:
    """Somebody has the run; without a pid it is known by its lock only."""
    who = f"process {pid}" if pid else "a process that cannot be seen from here (of another container)"
    return RunInUseError(f"{who} is working on this run", where=str(path), fix="wait for it, or stop it")


def _holder(db: sqlite3.Connection) -> Holder | None:
    row = db.execute("SELECT pid, boot_id, start_time FROM lease").fetchone()
    return None if row is None else Holder(*row)


def _refuse(holder: Holder | None, path: Path, clock: Clock) -> None:
    if holder is not None and alive(holder, clock.boot_id):
        raise in_use(path, holder.pid)
