"""The journal in SQLite, read so that not a byte of its files changes, also when a killed process left its log behind."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from pathlib import Path
from threading import RLock

from denominator.adapters.failpoints import NoFailpoints
from denominator.adapters.store.file_lock import FileLock
from denominator.adapters.store.sqlite import SqliteJournal
from denominator.adapters.store.tail import Tail
from denominator.errors import InputError
from denominator.ports import Clock


class UntouchedJournal(SqliteJournal):
    """Opening a journal as usual takes its log into the file and makes files beside it; this does neither, and cannot write."""

    def __init__(self, path: Path, run_id: str, clock: Clock) -> None:
        self.path, self.run_id, self.clock, self.failpoints = path, run_id, clock, NoFailpoints()
        self._lock, self._copy = RLock(), ""
        self._tail, self.held = Tail(), FileLock(path.with_name(f"{path.name}.lock"))
        self._group = self._line()
        if not path.is_file():
            raise InputError("there is no journal here", where=str(path), fix="denominator runs ls")
        try:
            self._connect(self._place(), create=False)
            self._db.execute("PRAGMA query_only = ON")  # a copy could be written, to nobody's use
        except BaseException as error:
            self._drop_copy()
            if isinstance(error, sqlite3.OperationalError):
                raise InputError(f"cannot be opened: {error}", where=str(path)) from None
            raise

    def close(self) -> None:
        """Close the file; a copy that had to be made goes."""
        super().close()
        self._drop_copy()

    def _drop_copy(self) -> None:
        if self._copy:
            shutil.rmtree(self._copy, ignore_errors=True)

    def _place(self) -> str:
        """The file as it is; with its log and the log's index; with a log that lost its index only a copy can be read."""
        beside = [self.path.with_name(self.path.name + ending) for ending in ("-wal", "-shm")]
        if not beside[0].exists():
            return f"{self.path.absolute().as_uri()}?immutable=1"
        if beside[1].exists():
            return f"{self.path.absolute().as_uri()}?mode=ro&readonly_shm=1"
        self._copy = tempfile.mkdtemp(prefix="denominator-")
        for path in (self.path, beside[0]):
            shutil.copyfile(path, Path(self._copy) / path.name)
        return (Path(self._copy) / self.path.name).as_uri()
