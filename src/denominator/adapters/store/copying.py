"""The journal and blobs of a finished run, from a server into its folder: the same events, the same chain."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

from denominator.adapters.store.blobs import FolderBlobs
from denominator.adapters.store.postgres import PostgresJournal
from denominator.adapters.store.postgres_blobs import PostgresBlobs
from denominator.adapters.store.rows import FIRST
from denominator.adapters.store.sqlite import SqliteJournal
from denominator.errors import UnknownStateError
from denominator.ports import Clock, Failpoints
from denominator.wire.durable import sync_folder


def copy_journal(source: PostgresJournal, path: Path, clock: Clock, failpoints: Failpoints) -> str:
    """Add what the file does not have yet, all of it or nothing; the digest of the last event.

    Raises UnknownStateError when the file is no earlier part of the journal, or the journal is not sound.
    """
    if not path.exists():
        _begin(path, source.run_id, clock, failpoints)
    target = SqliteJournal(path, source.run_id, clock, failpoints)
    try:
        have = target.head()
        if have[0] and source.sha_at(have[0]) != have[1]:
            what = f"event {have[0]} is not the one that the server has"
            raise UnknownStateError(what, where=str(path), fix="keep both, and look which one was changed")
        target.adopt(source.events(after=have[0]), source.call_rows())
        if wrong := target.verify():
            raise UnknownStateError("; ".join(wrong[:3]), where=str(source.dsn), fix="denominator status shows more")
        return target.head()[1] or FIRST
    finally:
        target.close()


def _begin(path: Path, run_id: str, clock: Clock, failpoints: Failpoints) -> None:
    """A journal without events that has its name when it is one."""
    half = path.with_name(f".{path.name}.{uuid4().hex}.part")
    SqliteJournal(half, run_id, clock, failpoints, create=True).close()
    half.rename(path)
    sync_folder(path.parent)


def copy_blobs(source: PostgresBlobs, target: FolderBlobs) -> None:
    """Every blob that the folder does not have yet, one at a time."""
    for sha in source.digests():
        if not target.has(sha):
            target.put(source.get(sha))
