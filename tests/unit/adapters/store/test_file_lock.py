"""The lock of a run: one holder, seen without pids, given back by the kernel, and no matter where there is none."""

from __future__ import annotations

import errno
import fcntl
import subprocess
import sys
from pathlib import Path

import pytest

from denominator.adapters.clock import SystemClock
from denominator.adapters.failpoints import NoFailpoints
from denominator.adapters.store.file_lock import FileLock
from denominator.adapters.store.sqlite import SqliteJournal
from denominator.adapters.store.untouched import UntouchedJournal
from denominator.errors import RunInUseError

HOLD = """
import sys, time
from pathlib import Path
from denominator.adapters.clock import SystemClock
from denominator.adapters.failpoints import NoFailpoints
from denominator.adapters.store.sqlite import SqliteJournal
with SqliteJournal(Path(sys.argv[1]), "r", SystemClock(), NoFailpoints()).lease():
    print("held", flush=True)
    time.sleep(60)
"""


def journal(path: Path, *, create: bool = False) -> SqliteJournal:
    return SqliteJournal(path, "r", SystemClock(), NoFailpoints(), create=create)


def held_elsewhere(path: Path) -> subprocess.Popen[bytes]:
    head = f"import sys; sys.path[:0] = {sys.path!r}\n"
    other = subprocess.Popen([sys.executable, "-c", head + HOLD, str(path)], stdout=subprocess.PIPE)
    assert other.stdout is not None and other.stdout.readline() == b"held\n"
    return other


def test_a_holder_whose_pid_says_nothing_here_keeps_others_out_until_it_dies(tmp_path, monkeypatch):
    mine = journal(tmp_path / "j.db", create=True)
    monkeypatch.setattr(
        "denominator.adapters.store.sqlite_lease.alive", lambda _holder, _boot: False
    )  # another namespace
    other = held_elsewhere(tmp_path / "j.db")
    try:
        with pytest.raises(RunInUseError, match="is working on this run"), mine.lease():
            pass
        with pytest.raises(RunInUseError, match="is working on this run"):
            mine.check_free()
    finally:
        other.kill()
        other.wait()
    mine.check_free()
    with mine.lease():
        pass
    mine.check_free()


def test_the_row_alone_keeps_others_out_where_there_are_no_locks(tmp_path, monkeypatch):
    def none(_fd: int, _how: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", none)
    one, two = journal(tmp_path / "j.db", create=True), journal(tmp_path / "j.db")
    with one.lease(), pytest.raises(RunInUseError, match=r"process \d+ is working"), two.lease():
        pass
    with two.lease():
        two.append()


def test_a_lease_that_is_refused_by_the_row_gives_its_lock_back(tmp_path, monkeypatch):
    one = journal(tmp_path / "j.db", create=True)
    monkeypatch.setattr("denominator.adapters.store.sqlite_lease.alive", lambda _holder, _boot: True)
    with one._transaction():
        one._db.execute("INSERT INTO lease VALUES (1, 1, 'b', 's', 't')")
    with pytest.raises(RunInUseError), one.lease():
        pass
    assert FileLock(tmp_path / "j.db.lock").is_free()


def test_reading_makes_no_file_and_takes_no_lock(tmp_path):
    journal(tmp_path / "j.db", create=True).close()
    for kind in (journal, lambda path: UntouchedJournal(path, "r", SystemClock())):
        found = kind(tmp_path / "j.db")
        list(found.events())
        found.standing()
        found.check_free()
        found.close()
    assert [path.name for path in tmp_path.iterdir()] == ["j.db"]
