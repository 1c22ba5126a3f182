"""A disk without room under the journal: every method says so in words with exit 4, and nothing is lost."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from denominator.adapters.clock import SystemClock
from denominator.adapters.failpoints import NoFailpoints
from denominator.adapters.store.sqlite import SqliteJournal
from denominator.errors import Exit, OpenPromisesError, UnknownStateError
from denominator.records.events import Draft
from denominator.records.keys import AttemptKey

KEY = AttemptKey("r", "t", 1, 1)
ON_A_SMALL_DISK = """
import json, sys
from contextlib import suppress
from pathlib import Path
from denominator.adapters.clock import SystemClock
from denominator.adapters.failpoints import NoFailpoints
from denominator.adapters.store.sqlite import SqliteJournal
from denominator.errors import DenominatorError
from denominator.faultbench.disks import SmallDisk, private_mounts
from denominator.records.events import Draft
from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow

why = private_mounts()
if why:
    print(json.dumps({"why": why})); sys.exit()
place, key = Path(sys.argv[1]), AttemptKey("r", "t", 1, 1)
try:
    disk = SmallDisk.mount(place, 1 << 20)
except OSError as error:
    print(json.dumps({"why": str(error)})); sys.exit()
said, path = {}, place / "journal.db"

def opened(create=False):
    return SqliteJournal(path, "r", SystemClock(), NoFailpoints(), create=create)

def draft(kind, n=0, **more):
    return Draft(kind=kind, phase="run", writer="harness", key=key, payload={"n": n, "text": "x" * 9000}, **more)

def tried(name, call):
    try:
        call()
        said[name] = [0, ""]
    except DenominatorError as error:
        said[name] = [int(error.exit), str(error)]
    except Exception as error:
        said[name] = [-1, repr(error)]

def lease():
    with opened().lease():
        pass

journal = opened(create=True)
journal.append(draft("promised"), draft("started", incarnation=1))
claim = journal.claim(key, 60)
with suppress(DenominatorError), journal.lease():
    disk.fill()
    tried("append", lambda: journal.append(*(draft("output", n, incarnation=1) for n in range(30))))
    tried("calls", lambda: journal.put_calls(*(CallRow(key=key, incarnation=1, seq=n, error="e" * 900) for n in range(1, 90))))
    for n in range(40):  # until the log has no room at all
        tried("renew", lambda: journal.renew(claim, 60))
        tried("claim", lambda: journal.claim(AttemptKey("r", "u", 1, 1), 60))
    tried("release", lambda: journal.release(claim))
    tried("standing", lambda: journal.standing())
    tried("events", lambda: list(journal.events()))
    tried("verify", lambda: journal.verify())
said["left the lease"] = [0, ""]
tried("lease", lease)
tried("close", journal.close)
tried("open", lambda: opened().close())
disk.free()
again = opened()
with again.lease():
    again.append(draft("output", 99, incarnation=1))
print(json.dumps({"said": said, "kinds": [e.kind for e in again.events()], "broken": again.verify()}))
"""


def test_every_method_on_a_full_disk_says_so_and_what_was_written_is_there(tmp_path: Path) -> None:
    head = f"import sys; sys.path[:0] = {sys.path!r}\n"
    done = subprocess.run(
        [sys.executable, "-c", head + ON_A_SMALL_DISK, str(tmp_path / "small")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    if "why" in found:
        pytest.skip(found["why"])
    said = found["said"]
    assert said["append"][0] == said["calls"][0] == said["renew"][0] == Exit.OPEN, said
    assert {code for code, _ in said.values()} <= {Exit.DONE, Exit.OPEN}, said
    assert all("cannot be" in text and "next: make room" in text for code, text in said.values() if code)
    assert found["kinds"] == ["promised", "started", "output"]
    assert found["broken"] == []


class Refusing:
    """A connection whose statements of one kind the disk refuses."""

    def __init__(self, real: sqlite3.Connection, word: str, code: int, name: str) -> None:
        self.real, self.word, self.error = real, word, sqlite3.OperationalError("database or disk is full")
        self.error.sqlite_errorcode, self.error.sqlite_errorname = code, name

    def execute(self, sql: str, *values: object) -> sqlite3.Cursor:
        if sql.lstrip().startswith(self.word):
            raise self.error
        return self.real.execute(sql, *values)  # type: ignore[arg-type]

    def __getattr__(self, name: str) -> object:
        return getattr(self.real, name)


def journal(path: Path) -> SqliteJournal:
    j = SqliteJournal(path / "j.db", "r", SystemClock(), NoFailpoints(), create=True)
    j.append(Draft(kind="promised", phase="run", writer="harness", key=KEY))
    return j


FULL, IO = (sqlite3.SQLITE_FULL, "SQLITE_FULL"), (sqlite3.SQLITE_IOERR_SHMSIZE, "SQLITE_IOERR_SHMSIZE")


@pytest.mark.parametrize("code", [FULL, IO], ids=["full", "io"])
@pytest.mark.parametrize("word", ["BEGIN", "SELECT", "COMMIT", "INSERT", "DELETE", "CREATE", "PRAGMA data_version"])
def test_whatever_statement_the_disk_refuses_ends_in_words(tmp_path: Path, word: str, code: tuple[int, str]) -> None:
    j = journal(tmp_path)
    claim = j.claim(KEY, 60)
    assert claim is not None
    real, j._db = j._db, Refusing(j._db, word, *code)  # type: ignore[assignment]

    def leased() -> None:
        with j.lease():
            pass

    calls = [
        lambda: j.append(Draft(kind="output", phase="run", writer="harness")),
        lambda: j.put_calls(),
        lambda: j.claim(KEY, 60),
        lambda: j.renew(claim, 60),
        lambda: j.release(claim),
        lambda: list(j.events()),
        lambda: list(j.calls()),
        j.head,
        j.standing,
        j.verify,
        j.check_free,
        leased,
    ]
    refused = 0
    for call in calls:
        try:
            call()
        except OpenPromisesError as error:
            refused += 1
            assert error.exit == Exit.OPEN and "disk is full" in error.what
        assert not real.in_transaction or word == "COMMIT"
        if real.in_transaction:
            real.execute("ROLLBACK")
    assert refused
    j._db = real
    assert j.verify() == [] and j.held.is_free()


def test_a_lease_that_cannot_be_given_back_hides_nothing(tmp_path: Path) -> None:
    j = journal(tmp_path)
    real = j._db
    with j.lease():
        j._db = Refusing(real, "DELETE FROM lease", *FULL)  # type: ignore[assignment]
    with pytest.raises(KeyError), j.lease():
        raise KeyError
    j._db = real
    assert j.held.is_free()


def test_a_file_that_lost_its_tables_is_damaged_all_the_same(tmp_path: Path) -> None:
    j = journal(tmp_path)
    j._db.execute("DROP TABLE calls")
    with pytest.raises(UnknownStateError, match="damaged"):
        j.calls()


@pytest.mark.parametrize("row", ["[[[", "{}", "[" * 100_000])
def test_a_call_that_can_no_longer_be_read_is_an_unknown_state(tmp_path: Path, row: str) -> None:
    j = journal(tmp_path)
    j._db.execute("INSERT INTO calls VALUES (NULL, 't', 1, 1, 1, 1, 'intent', ?)", (row,))
    with pytest.raises(UnknownStateError, match="the journal is damaged"):
        j.calls()


@pytest.mark.parametrize("index", ["by_attempt", "one_promise", "events"])
def test_writing_into_a_damaged_file_is_an_unknown_state_too(tmp_path: Path, index: str) -> None:
    journal(tmp_path).close()
    path = tmp_path / "j.db"
    with sqlite3.connect(path) as db:
        size = db.execute("PRAGMA page_size").fetchone()[0]
        root = db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (index,)).fetchone()[0]
    db.close()
    with path.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\xa5" * size)
    j = SqliteJournal(path, "r", SystemClock(), NoFailpoints())
    with pytest.raises(UnknownStateError, match="the journal is damaged") as said:
        j.append(Draft(kind="promised", phase="run", writer="harness", key=AttemptKey("r", "t", 1, 2)))
    assert said.value.exit == Exit.UNKNOWN_STATE
