"""Cassettes on disk: made of a run, checked before a seal, copied into the run that they answer."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from denominator.adapters.store.blobs import FolderBlobs
from denominator.errors import InputError, Problem
from denominator.pipeline.recording import record
from denominator.pipeline.world import OpenRun
from denominator.records.cassettes import Cassette, SealedCassette
from denominator.records.envelopes import Envelope
from denominator.wire.cassettes import BLOBS, CALLS, HEAD, Tape, blobs_of, read_cassette, refuse_damage
from denominator.wire.durable import new_folder

PLACE = "cassette"
"""Where a run keeps the recording that answers it."""


def make_cassette(run: OpenRun, folder: Path, volatile: Iterable[str], environ: Mapping[str, str]) -> Cassette:
    """Record a run into a new folder, whole or not at all."""
    key = environ.get(run.seal.arm.model.key_env, "").strip() if run.seal.arm.model.key_env else ""
    try:
        with new_folder(folder) as half:
            (half / BLOBS).mkdir()
            return record(run, half, FolderBlobs(half / BLOBS), volatile, key)
    except FileExistsError:
        raise InputError("is there already; nothing is overwritten", where=str(folder), fix="name another -o") from None
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", where=str(folder), fix="name another -o") from None


def whole_cassette(folder: Path) -> Tape:
    """A cassette all of whose blobs are there and hold what they say; InputError names those that do not."""
    tape = read_cassette(folder)
    refuse_damage(_damage(FolderBlobs(folder / BLOBS), blobs_of(tape.calls.values())), folder)
    return tape


def _damage(blobs: FolderBlobs, digests: Iterable[str]) -> Iterator[Problem]:
    for sha in digests:
        try:
            blobs.get(sha)
        except InputError as error:
            yield Problem(f"{BLOBS}/{sha[:2]}/{sha[2:14]}...", error.what)


def cassette_place(envelope: Envelope, where: str) -> Path | None:
    """The folder that an envelope names, from where it lies."""
    return Path(where).parent / envelope.gateway.cassette if envelope.gateway.cassette else None


def sealed_cassette(envelope: Envelope, where: str) -> SealedCassette | None:
    """What is sealed of the recording: read whole, so that what is missing is found before the run."""
    place = cassette_place(envelope, where)
    return whole_cassette(place).sealed if place is not None else None


def copy_cassette(place: Path, folder: Path, sealed: SealedCassette) -> None:
    """A private copy, which no later edit reaches; it must be the sealed one."""
    (folder / BLOBS).mkdir(parents=True)
    for sha in blobs_of(read_cassette(place).calls.values()):
        to = folder / BLOBS / sha[:2] / sha[2:]
        to.parent.mkdir(exist_ok=True)
        shutil.copyfile(place / BLOBS / sha[:2] / sha[2:], to)
    for name in (CALLS, HEAD):
        shutil.copyfile(place / name, folder / name)
    if whole_cassette(folder).sealed != sealed:
        raise InputError("it changed while it was sealed", where=str(place), fix="run it again")


def changed_cassette(folder: Path, sealed: SealedCassette) -> str:
    """Why the copy in a run's folder is not what was sealed, or ""."""
    try:
        found = whole_cassette(folder / PLACE).sha256
    except InputError as error:
        return f"its recording cannot be used: {error.what}"
    return "" if found == sealed.sha256 else f"its recording is {found[:12]}, sealed was {sealed.sha256[:12]}"
