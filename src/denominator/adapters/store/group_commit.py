"""One commit for what several threads write at once: who finds nobody at work commits for all who came meanwhile.

No timer collects a batch: what queued while the last commit ran is the next one. Each caller comes back when its own part
is durable. A part that is refused fails its caller alone and leaves nothing; a commit that fails fails everybody in it.
"""

from __future__ import annotations

import copy
import sqlite3
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from threading import Lock
from typing import Any, Generic, TypeVar, cast

from denominator.adapters.store.sqlite_words import in_words_of_writing, of_one_statement
from denominator.adapters.store.tail import Tail
from denominator.errors import OpenPromisesError

T = TypeVar("T")


class Part(Generic[T]):
    """What one caller wants written, and what became of it. `many`: in more than one row."""

    __slots__ = ("error", "leads", "many", "over", "passed", "result", "woken", "work")

    def __init__(self, work: Callable[[], T], *, many: bool) -> None:
        self.work, self.many = work, many
        self.woken = Lock()
        self.passed = False
        """Has its caller come by the point before the commit already?"""
        self.leads, self.over = False, False
        self.result: T | None = None
        self.error: BaseException | None = None

    def told(self) -> T:
        """What the caller hears in its own thread."""
        if self.error is not None:
            raise self.error
        return cast(T, self.result)


class GroupCommit:
    """The line in front of one journal in this process.

    `transaction` keeps everybody else away, and commits all that was done in it or nothing; `before` is the point before
    its commit; `tail` is told when nothing was committed.
    """

    def __init__(
        self,
        path: Path,
        transaction: Callable[[], AbstractContextManager[sqlite3.Connection]],
        before: Callable[[], None],
        tail: Tail,
    ) -> None:
        self._path, self._transaction, self._before, self._tail = path, transaction, before, tail
        self._door = Lock()
        self._line: deque[Part[Any]] = deque()
        self._busy = False

    def write(self, work: Callable[[], T], *, many: bool) -> T:
        """Have `work` done within a transaction; its result, or what it raised, when that is durable.

        The point before the commit is passed in the caller's own thread: within the transaction where it commits itself,
        or before it stands in line. Nothing of it is in the journal at either moment.
        """
        part = Part(work, many=many)
        if not self._first(part, waits=False):
            self._before()
            part.passed = True
            if not self._first(part, waits=True):
                self._wait(part)
        if not part.over:
            self._commit(part)
        return part.told()

    def _first(self, part: Part[Any], *, waits: bool) -> bool:
        """Is nobody at work? Then this caller is. Otherwise it stands in line, if it `waits`."""
        with self._door:
            if not self._busy:
                self._busy = True
                return True
            if waits:
                part.woken.acquire()
                self._line.append(part)
        return False

    def _wait(self, part: Part[Any]) -> None:
        """Until it was written by another, or it is this caller's turn to commit."""
        try:
            part.woken.acquire()
        except BaseException:
            with self._door:
                if part in self._line:
                    self._line.remove(part)
            if part.leads:
                self._next()
            raise

    def _commit(self, mine: Part[Any]) -> None:
        """Write what is there with one commit, tell everybody, and let the next one do the same."""
        batch = [mine]
        try:
            with self._transaction() as db:
                self._tail.look(db)
                batch += self._taken()
                for part in batch:
                    self._try(db, part, alone=len(batch) == 1)
                if all(part.error for part in batch):
                    raise cast(BaseException, mine.error)
                if not mine.passed:
                    self._before()
        except BaseException as error:
            self._tail.forget()
            mine.error = mine.error or error
            for part in batch[1:]:
                part.error = part.error or self._for_another(error)
        finally:
            mine.over = True
            for part in batch[1:]:
                part.over = True
                part.woken.release()
            self._next()

    def _taken(self) -> list[Part[Any]]:
        with self._door:
            taken = list(self._line)
            self._line.clear()
        return taken

    def _try(self, db: sqlite3.Connection, part: Part[Any], *, alone: bool) -> None:
        """One part; what is wrong with it is its own, unless nobody could have written anything."""
        # A single row is written or not; what is alone is undone with its transaction.
        apart = part.many and not alone
        try:
            if apart:
                db.execute("SAVEPOINT part")
            part.result = part.work()
        except Exception as error:
            if not of_one_statement(error) or not db.in_transaction:
                raise
            part.error = in_words_of_writing(error, self._path)
            if apart:
                db.execute("ROLLBACK TO part")
        if apart:
            db.execute("RELEASE part")

    def _next(self) -> None:
        with self._door:
            heir = self._line.popleft() if self._line else None
            self._busy = heir is not None
            if heir is not None:
                heir.leads = True
        if heir is not None:
            heir.woken.release()

    def _for_another(self, error: BaseException) -> Exception:
        """The same failure for somebody who only stood in line: errors collect the frames of one thread."""
        if isinstance(error, Exception):
            return copy.copy(error)
        what = "the journal was not written: the thread that wrote for several was broken off"
        return OpenPromisesError(what, where=str(self._path), fix="denominator resume")
