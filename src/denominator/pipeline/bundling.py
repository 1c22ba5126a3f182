"""`bundle`: a finished run as a folder, or one file, that travels. It is judged, packed, and verified before it gets its name."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from denominator.bundles.items import items_of
from denominator.bundles.layout import (
    SHA,
    SIGNATURE,
    SLIP,
    SUMS,
)
from denominator.bundles.sums import write_sums
from denominator.errors import (
    Exit,
    InputError,
    InternalError,
    OpenPromisesError,
    Problem,
    UnknownStateError,
)
from denominator.pipeline.bundle_gathering import Wish, gathered
from denominator.pipeline.bundle_packing import pack, packed_name
from denominator.pipeline.bundle_private import refuse_private
from denominator.pipeline.results import Result, judge_run
from denominator.pipeline.verifying import verify
from denominator.pipeline.world import OpenRun
from denominator.ports import Signer
from denominator.records.bundles import Checked, Item
from denominator.wire.canonical import sha256_bytes
from denominator.wire.durable import new_folder, write_file

UNCUT = (
    "; seal, journal and labels cannot be cut: a mount below your own home is sealed as ~ today, so seal again, "
    "or put it elsewhere"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A bundle: where it is, how many files, the sha256 of its SHA256SUMS, and what verifying it said."""

    place: str
    files: int
    sums_sha256: str
    archive_sha256: str
    checked: Checked
    items: tuple[Item, ...]


def bundle(run: OpenRun, target: Path, wish: Wish, signer: Signer) -> Made:
    """Make it at a place where nothing is. BlockedError: something in it may not travel, and nothing was written."""
    refuse_taken(target)
    result = judge_run(run)
    refuse_unfinished(run, result)
    files = gathered(run, result, wish)
    refuse_private(files, UNCUT, run)
    return delivered(target, files, wish, signer, items_of(files))


def refuse_taken(target: Path) -> None:
    """Nothing is written over. InputError."""
    if os.path.lexists(target):
        raise InputError("there is something already", where=str(target), fix="name a new one: -o NAME")


def delivered(
    target: Path, files: Mapping[str, bytes], wish: Wish, signer: Signer, items: tuple[Item, ...] = ()
) -> Made:
    """Write files with their sums as a folder or an archive, once they verify."""
    if not packed_name(target):
        with new_folder(target) as half:
            made = _write(half, files, wish, signer)
        return _made(target, files, items, made)
    target.absolute().parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".denominator-bundle-", dir=target.absolute().parent) as passing:
        half = Path(passing) / "bundle"
        half.mkdir()
        made = _write(half, files, wish, signer)
        data = pack(half, target)
        shutil.rmtree(half)
    write_file(target, data, replace=False)
    return _made(target, files, items, made, sha256_bytes(data))


def _made(
    target: Path, files: Mapping[str, bytes], items: tuple[Item, ...], checked: Checked, archive: str = ""
) -> Made:
    return Made(
        place=str(target),
        files=len(files) + 1 + (checked.signed.state != "none"),
        sums_sha256=checked.sums_sha256,
        archive_sha256=archive,
        checked=checked,
        items=items,
    )


def refuse_unfinished(run: OpenRun, result: Result) -> None:
    """Only what has ended travels. OpenPromisesError, UnknownStateError."""
    where = str(run.folder.root)
    if result.exit == Exit.UNKNOWN_STATE:
        raise UnknownStateError("its journal cannot be explained", where=where, fix=f"denominator status {run.run_id}")
    if result.exit == Exit.OPEN:
        raise OpenPromisesError("promises are still open", where=where, fix=f"denominator resume {run.run_id}")


def _write(half: Path, files: Mapping[str, bytes], wish: Wish, signer: Signer) -> Checked:
    """Write the files, the sums last, the signature over them; then verify it as a stranger would."""
    for name, data in files.items():
        (half / name).parent.mkdir(exist_ok=True)
        write_file(half / name, data)
    sums = write_sums({name: sha256_bytes(data) for name, data in files.items()})
    write_file(half / SUMS, sums)
    if wish.key is not None:
        write_file(half / SIGNATURE, signer.sign(sums, wish.key))
    checked = verify(half, signer=signer)
    problems = [Problem(one.where, f"{one.kind}: {one.what}") for one in checked.faults]
    if slips := [one for one in problems if one.where == SLIP]:
        raise InputError("the slip is not of this run", where=str(wish.slip), problems=slips, fix="name one that is")
    if problems:
        raise InternalError("the bundle does not verify", where=str(half), problems=problems)
    return checked


def digests(texts: tuple[str, ...]) -> frozenset[str]:
    """What was typed after --leave-out. InputError: it is no digest."""
    for text in texts:
        if SHA.fullmatch(text) is None:
            raise InputError(
                f"{text[:70]!r} is no sha256", where="--leave-out", fix="64 hex digits, as the refusal named it"
            )
    return frozenset(texts)
