"""Claims in SQLite: rows that run out by the monotonic clock under one boot. Each call is within a transaction."""

from __future__ import annotations

import sqlite3

from denominator.adapters.store.rows import place_of
from denominator.adapters.store.sqlite_schema import CLAIMS
from denominator.ports import Clock
from denominator.records.claims import Claim

OVER = "DELETE FROM claims WHERE task_id = ? AND repeat = ? AND attempt = ? AND (boot_id <> ? OR until_ns <= ?)"
RENEW = "UPDATE claims SET until_ns = ? WHERE token = ? AND boot_id = ? AND until_ns > ?"


def take(db: sqlite3.Connection, claim: Claim, clock: Clock, seconds: float) -> bool:
    """Write a claim down, in the place of one that is over; false while somebody's is not."""
    now, place = clock.mono_ns(), place_of(claim.key)
    db.execute(CLAIMS)
    db.execute(OVER, (*place, clock.boot_id, now))
    row = (*place, claim.token, clock.boot_id, now + int(seconds * 1e9))
    return bool(db.execute("INSERT OR IGNORE INTO claims VALUES (?, ?, ?, ?, ?, ?)", row).rowcount)


def renew(db: sqlite3.Connection, claim: Claim, clock: Clock, seconds: float) -> bool:
    """Move its end; false when it is over."""
    now = clock.mono_ns()
    db.execute(CLAIMS)
    return bool(db.execute(RENEW, (now + int(seconds * 1e9), claim.token, clock.boot_id, now)).rowcount)


def release(db: sqlite3.Connection, claim: Claim) -> None:
    """Take it away where it still stands."""
    db.execute(CLAIMS)
    db.execute("DELETE FROM claims WHERE token = ?", (claim.token,))
