"""Where a run keeps its journal: `journal.toml` as it is written, and as it may be damaged."""

from __future__ import annotations

from pathlib import Path

import pytest

from denominator.adapters.clock import SystemClock
from denominator.adapters.failpoints import NoFailpoints
from denominator.adapters.store.blobs import FolderBlobs
from denominator.adapters.store.copying import copy_blobs, copy_journal
from denominator.adapters.store.postgres import PostgresJournal
from denominator.adapters.store.sqlite import SqliteJournal
from denominator.errors import InputError, MachineError, UnknownStateError
from denominator.records.rows import CallRow
from denominator.run.layout import RunFolder
from denominator.testing.journal_bench import draft, key_of
from denominator.testing.postgres_server import PostgresServer
from denominator.wiring.journals import begin_store, check_server, look_at_store, open_store, place_of

CANARY = "pw-canary-5b1c9e"
PARTS = (SystemClock(), NoFailpoints())


def folder_in(tmp_path: Path) -> RunFolder:
    folder = RunFolder(tmp_path / "r")
    folder.blobs.mkdir(parents=True)
    return folder


def test_without_a_server_the_folder_has_it(tmp_path: Path) -> None:
    folder = folder_in(tmp_path)
    begin_store(folder, "r", *PARTS)
    check_server("")
    assert place_of(folder) is None and not folder.journal_place.exists()
    for opens in (open_store, look_at_store):
        journal, blobs = opens(folder, "r", *PARTS)
        assert isinstance(journal, SqliteJournal) and isinstance(blobs, FolderBlobs)
        journal.close()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "not toml",
        'journal = "postgresql://h/d"\nmore = 1\n',
        "journal = 7\n",
        f'journal = "postgresql://u:{CANARY}@h/d"\n',
        f'journal = "somewhere {CANARY}"\n',
        'journal = "postgresql://h/d"\nschema_version = 99\n',
    ],
)
def test_a_damaged_journal_toml_is_refused(tmp_path: Path, text: str) -> None:
    folder = folder_in(tmp_path)
    folder.journal_place.write_text(text)
    with pytest.raises(InputError) as caught:
        look_at_store(folder, "r", *PARTS)
    assert "journal.toml" in str(caught.value) and CANARY not in str(caught.value)


def test_a_server_that_is_not_there_is_said_before_anything_is_made(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match="no server can be reached"):
        check_server("postgresql://u@127.0.0.1:1/d")


def test_a_run_is_begun_on_a_server_and_copied_home_as_it_is(tmp_path: Path, postgres: PostgresServer) -> None:
    folder, run_id = folder_in(tmp_path), f"run-{tmp_path.name}"
    script = FolderBlobs(folder.blobs).put(b"a script that the seal names")
    begin_store(folder, run_id, *PARTS, postgres.dsn())
    assert not folder.journal.exists()
    journal, blobs = open_store(folder, run_id, *PARTS)
    assert isinstance(journal, PostgresJournal)
    assert blobs.get(script) == b"a script that the seal names"
    key = key_of(journal)
    journal.append(draft("promised", key), draft("started", key))
    journal.put_calls(CallRow(key=key, seq=1), CallRow(key=key, seq=1, outcome="ok"))
    kept = blobs.put(b"left by an attempt")
    for _ in range(2):
        last = copy_journal(journal, folder.journal, *PARTS)
        copy_blobs(blobs, FolderBlobs(folder.blobs))  # type: ignore[arg-type]
        home = SqliteJournal(folder.journal, run_id, *PARTS)
        assert list(home.events()) == list(journal.events()) and home.head()[1] == last
        assert list(home.calls()) == list(journal.calls())
        home.close()
        journal.append(draft("output", key))
    assert FolderBlobs(folder.blobs).get(kept) == b"left by an attempt"
    other = SqliteJournal(folder.journal, run_id, *PARTS)
    other.append(draft("output", key, who="somebody else"))
    other.close()
    with pytest.raises(UnknownStateError, match="is not the one that the server has"):
        copy_journal(journal, folder.journal, *PARTS)
    journal.close()
