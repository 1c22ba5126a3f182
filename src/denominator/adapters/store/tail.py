"""The end of a journal as one connection remembers it, as long as nobody else has written."""

from __future__ import annotations

import sqlite3

from denominator.adapters.store.rows import FIRST, Fence, place_of
from denominator.adapters.store.sqlite_schema import NEWEST
from denominator.records.keys import AttemptKey

LAST = "SELECT seq, sha FROM events ORDER BY seq DESC LIMIT 1"
UNKNOWN = -1


class Tail:
    """The last event and the newest incarnations, asked for again when another connection has committed anything.

    SQLite counts those commits (`PRAGMA data_version`); inside a transaction that has the write lock the count holds
    until the commit. `keep` says what this connection has written itself, `forget` that it was not committed.
    """

    def __init__(self) -> None:
        self._version = UNKNOWN
        self.last = (0, FIRST)
        """Sequence number and digest of the last event."""
        self._newest: dict[AttemptKey, int] = {}

    def look(self, db: sqlite3.Connection) -> None:
        """Has another connection written? Ask first in every transaction."""
        version = db.execute("PRAGMA data_version").fetchone()[0]
        if version != self._version:
            found = db.execute(LAST).fetchone()
            self.last = (int(found[0]), str(found[1])) if found else (0, FIRST)
            self._newest.clear()
            self._version = version

    def fence(self, db: sqlite3.Connection, where: str) -> Fence:
        """A fence for what is written together."""

        def newest(key: AttemptKey) -> int:
            found = self._newest.get(key)
            if found is None:
                found = self._newest[key] = int(db.execute(NEWEST, place_of(key)).fetchone()[0] or 0)
            return found

        return Fence(newest, where)

    def keep(self, seq: int, sha: str, fence: Fence) -> None:
        """Remember what was written: the next event of this transaction, or of the next one, follows it."""
        self.last = (seq, sha)
        self._newest.update(fence.known)

    def forget(self) -> None:
        """Ask again the next time."""
        self._version = UNKNOWN
