"""A journal whose files were torn opens at its last whole commit, or says that it is damaged; a look changes no byte."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from denominator.adapters.clock import SystemClock
from denominator.adapters.failpoints import NoFailpoints
from denominator.adapters.store.sqlite import SqliteJournal
from denominator.adapters.store.untouched import UntouchedJournal
from denominator.errors import OpenPromisesError, UnknownStateError
from denominator.records.events import Draft

FRAME = 24 + 4096
COMMITS = 12
WRITER = """
import os, signal, sys
from pathlib import Path
from denominator.adapters.clock import SystemClock
from denominator.adapters.failpoints import NoFailpoints
from denominator.adapters.store.sqlite import SqliteJournal
from denominator.records.events import Draft
j = SqliteJournal(Path(sys.argv[1]), "r", SystemClock(), NoFailpoints(), create=True)
for n in range(int(sys.argv[2])):
    j.append(*(Draft(kind="output", phase="run", writer="harness", payload={"n": n, "of": k}) for k in range(3)))
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a journal whose process was killed after some commits of three events each."""
    folder = tmp_path_factory.mktemp("torn")
    subprocess.run([sys.executable, "-c", WRITER, str(folder / "journal.db"), str(COMMITS)], check=False)
    assert (folder / "journal.db-wal").stat().st_size > COMMITS * FRAME
    return folder


@pytest.fixture
def torn(killed: Path, tmp_path: Path) -> Iterator[Path]:
    yield Path(shutil.copytree(killed, tmp_path / "run"))


def opened(folder: Path) -> SqliteJournal:
    return SqliteJournal(folder / "journal.db", "r", SystemClock(), NoFailpoints())


def whole_commits(journal: SqliteJournal) -> int:
    """Commits of which all is there; anything in part fails."""
    assert journal.verify() == []
    seen = [(event.payload["n"], event.payload["of"]) for event in journal.events()]
    assert seen == [(n, k) for n in range(len(seen) // 3) for k in range(3)]
    return len(seen) // 3


@pytest.mark.parametrize("cut", [0, 1, 31, 32, 33, 500, FRAME, FRAME + 7, 3 * FRAME, 10**9])
def test_a_log_that_ends_in_the_middle_ends_at_its_last_whole_commit(torn: Path, cut: int) -> None:
    wal = torn / "journal.db-wal"
    left = max(0, wal.stat().st_size - cut)
    os.truncate(wal, left)
    (torn / "journal.db-shm").unlink()  # a new process after a power cut has no index of the log
    if not left:
        # The file's own pages were never written back: without its log it is no journal, and says so.
        with pytest.raises(UnknownStateError):
            opened(torn)
        return
    journal = opened(torn)
    count = whole_commits(journal)
    assert count == COMMITS if cut == 0 else count < COMMITS
    journal.append(Draft(kind="output", phase="run", writer="harness", payload={"n": count, "of": 0}))
    assert journal.verify() == []
    journal.close()


@pytest.mark.parametrize("back", [100, 5000, 20_000, 40_000])
def test_garbage_in_the_log_ends_it_at_the_commit_before(torn: Path, back: int) -> None:
    wal = torn / "journal.db-wal"
    with wal.open("r+b") as file:
        file.seek(wal.stat().st_size - back)
        file.write(b"\xa5" * 64)
    (torn / "journal.db-shm").unlink()
    count = whole_commits(opened(torn))
    assert 0 < count < COMMITS


@pytest.mark.parametrize("at", [0, 16, 100, 4096])
def test_a_file_that_is_damaged_is_an_unknown_state_and_stays_as_it_is(torn: Path, at: int) -> None:
    opened(torn).close()  # takes the log into the file
    path = torn / "journal.db"
    with path.open("r+b") as file:
        file.seek(at)
        file.write(b"\xa5" * 3000)
    damaged = path.read_bytes()
    with pytest.raises(UnknownStateError) as said:
        list(opened(torn).events())
    assert said.value.exit == 5 and "restore it from a copy" in str(said.value)
    assert path.read_bytes() == damaged


def files(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in sorted(folder.iterdir())}


@pytest.mark.parametrize("state", ["killed", "killed, index lost", "closed", "under way"])
def test_a_look_changes_no_byte_of_any_file_and_cannot_write(torn: Path, state: str) -> None:
    writer = opened(torn) if state in ("closed", "under way") else None
    if writer is not None and state == "closed":
        writer.close()
    if state == "killed, index lost":
        (torn / "journal.db-shm").unlink()
    before = files(torn)
    look = UntouchedJournal(torn / "journal.db", "r", SystemClock())
    assert whole_commits(look) == COMMITS
    with pytest.raises(OpenPromisesError):
        look.append(Draft(kind="output", phase="run", writer="harness"))
    look.close()
    assert files(torn) == before
    if writer is not None and state == "under way":
        writer.append(Draft(kind="output", phase="run", writer="harness", payload={"n": COMMITS, "of": 0}))


def test_a_look_at_what_is_no_journal_leaves_no_copy(
    torn: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    copies = tmp_path / "copies"
    copies.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(copies))
    os.truncate(torn / "journal.db-wal", 0)
    (torn / "journal.db-shm").unlink()
    with pytest.raises(UnknownStateError):
        UntouchedJournal(torn / "journal.db", "r", SystemClock())
    assert list(copies.iterdir()) == []
