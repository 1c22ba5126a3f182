"""Where a run keeps its journal and blobs: in its folder, or in PostgreSQL as its `journal.toml` says. The one place that knows."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from denominator.adapters.store.blobs import FolderBlobs
from denominator.adapters.store.dsn import Dsn, parse_dsn
from denominator.adapters.store.sqlite import SqliteJournal
from denominator.adapters.store.untouched import UntouchedJournal
from denominator.errors import InputError, OpenPromisesError
from denominator.pipeline.run import open_promises
from denominator.pipeline.world import OpenRun
from denominator.ports import Blobs, Clock, Failpoints, Journal
from denominator.records.rows import CallRow
from denominator.run.layout import RunFolder
from denominator.wire.durable import write_file
from denominator.wire.toml import read_toml

if TYPE_CHECKING:
    from denominator.adapters.store.postgres import PostgresJournal
    from denominator.adapters.store.postgres_blobs import PostgresBlobs

EXTRA = "pip install 'denominator[postgres]'"


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalPlace:
    """`journal.toml`: the server that has the journal, and the last event of the copy in the folder ("" while there is none)."""

    schema_version: int = 1
    journal: str
    copied: str = ""


def place_of(folder: RunFolder) -> JournalPlace | None:
    """Where the journal of a run lies; None for the folder itself. Raises InputError when `journal.toml` cannot be used."""
    try:
        text = folder.journal_place.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", where=str(folder.journal_place)) from None
    place = read_toml(JournalPlace, text, str(folder.journal_place))
    parse_dsn(place.journal, str(folder.journal_place))
    return place


def open_store(folder: RunFolder, run_id: str, clock: Clock, failpoints: Failpoints) -> tuple[Journal, Blobs]:
    """Journal and blobs of a run that goes on: always those that everybody shares."""
    place = place_of(folder)
    if place is not None:
        return open_server(parse_dsn(place.journal), run_id, clock, failpoints)
    folder.blobs.mkdir(exist_ok=True)
    return SqliteJournal(folder.journal, run_id, clock, failpoints), FolderBlobs(folder.blobs, failpoints)


def look_at_store(
    folder: RunFolder, run_id: str, clock: Clock, failpoints: Failpoints, *, untouched: bool = False
) -> tuple[Journal, Blobs]:
    """Journal and blobs for reading; a run that is finished and copied home is read without its server.

    `untouched`: not a byte of the folder changes, not even the journal's own files beside it.
    """
    place = place_of(folder)
    if place is not None and not place.copied:
        return open_server(parse_dsn(place.journal), run_id, clock, failpoints)
    if untouched:
        return UntouchedJournal(folder.journal, run_id, clock), FolderBlobs(folder.blobs)
    return SqliteJournal(folder.journal, run_id, clock, failpoints), FolderBlobs(folder.blobs)


def open_server(dsn: Dsn, run_id: str, clock: Clock, failpoints: Failpoints) -> tuple[PostgresJournal, PostgresBlobs]:
    """Journal and blobs of a run on a server, for a process that has nothing else of it."""
    refuse_without_extra()
    from denominator.adapters.store.postgres import PostgresJournal
    from denominator.adapters.store.postgres_blobs import PostgresBlobs

    journal, blobs = PostgresJournal(dsn, run_id, clock, failpoints), PostgresBlobs(dsn, run_id)
    journal.beside = (blobs.link,)
    return journal, blobs


def check_server(journal: str) -> None:
    """Refuse an address that holds a password or leads to no server, before anything is done. "" is the folder itself."""
    if journal:
        dsn = parse_dsn(journal)
        refuse_without_extra()
        from denominator.adapters.store.postgres_link import Link

        link = Link(dsn)
        link.open()
        link.close()


def begin_store(half: RunFolder, run_id: str, clock: Clock, failpoints: Failpoints, journal: str = "") -> None:
    """Begin the journal of a run whose folder is being made; what its folder holds as blobs goes where they are kept."""
    if not journal:
        SqliteJournal(half.journal, run_id, clock, failpoints, create=True).close()
        return
    refuse_without_extra()
    from denominator.adapters.store.postgres import PostgresJournal
    from denominator.adapters.store.postgres_blobs import PostgresBlobs

    dsn = parse_dsn(journal)
    PostgresJournal(dsn, run_id, clock, failpoints, create=True).close()
    kept, blobs = FolderBlobs(half.blobs), PostgresBlobs(dsn, run_id)
    for path in sorted(half.blobs.glob("??/*")):
        blobs.put(kept.get(path.parent.name + path.name))
    blobs.close()
    _write_place(half, JournalPlace(journal=str(dsn)))


def copy_home(run: OpenRun, clock: Clock, failpoints: Failpoints) -> bool:
    """Make the folder of a finished run whole: `journal.db` with the same chain, and every blob. False: it always was.

    Raises OpenPromisesError while the run is open: its journal is still being written.
    """
    place = place_of(run.folder)
    if place is None:
        return False
    if open_promises(run):
        raise OpenPromisesError("promises are still open", where=run.run_id, fix=f"denominator resume {run.run_id}")
    from denominator.adapters.store.copying import copy_blobs, copy_journal

    journal, blobs = open_server(parse_dsn(place.journal), run.run_id, clock, failpoints)
    try:
        run.folder.blobs.mkdir(exist_ok=True)
        copy_blobs(blobs, FolderBlobs(run.folder.blobs))
        last = copy_journal(journal, run.folder.journal, clock, failpoints)
    finally:
        journal.close()
    _write_place(run.folder, replace(place, copied=last))
    return True


def recorder(run: OpenRun) -> Callable[..., None]:
    """Writes rows of calls; bodies that the gateway left in the folder go first where blobs are kept elsewhere."""
    if isinstance(run.blobs, FolderBlobs):
        return run.journal.put_calls
    here = FolderBlobs(run.folder.blobs)

    def record(*rows: CallRow) -> None:
        for sha in {sha for row in rows for sha in (row.request_sha256, row.response_sha256) if isinstance(sha, str)}:
            if here.has(sha) and not run.blobs.has(sha):
                run.blobs.put(here.get(sha))
        run.journal.put_calls(*rows)

    return record


def refuse_without_extra() -> None:
    """A journal on a server needs the library that speaks to it."""
    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise InputError("a journal in PostgreSQL needs psycopg", where="--journal", fix=EXTRA) from None


def _write_place(folder: RunFolder, place: JournalPlace) -> None:
    lines = ["schema_version = 1", f"journal = {json.dumps(place.journal, ensure_ascii=False)}"]
    lines += [f'copied = "{place.copied}"'] if place.copied else []
    write_file(folder.journal_place, ("\n".join(lines) + "\n").encode())
