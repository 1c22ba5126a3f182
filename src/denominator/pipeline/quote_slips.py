"""The slips of a folder as quote check asks for them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from denominator.bundles.layout import SLIP_HEAD, SUMS
from denominator.errors import DenominatorError
from denominator.pipeline.bundle_slip import cut_since
from denominator.pipeline.slip_store import slip_ids, standings
from denominator.pipeline.verifying import NOBODY, verify
from denominator.quote import Slips, SlipTable
from denominator.records.bundles import Known
from denominator.records.slips import SlipStanding
from denominator.slips.lines import written
from denominator.wire.bounded import read_bytes, read_chunks

BUNDLE = ".bundle"
SHORT, SHOWN, HEAD_BYTES = 12, 3, 1 << 12


def slips_in(folder: Path) -> tuple[Slips, list[DenominatorError]]:
    """The slips of a folder; what cannot be read of it is damaged, and each is told."""
    found, broken = standings(folder)
    damaged = set(slip_ids(folder)) - {one.id for one in found}
    return FolderSlips(folder, found, damaged), broken


class FolderSlips(SlipTable):
    """The slips of a folder. What a slip pins is looked at when it is cited.

    Raw output that is there must be what it was. A bundle is looked for as `ID.bundle` beside the slip, and as the folder in
    which its raw output lies: it must verify, and the slip's record must still hold the lines that it counted.
    """

    def __init__(self, folder: Path, found: Iterable[SlipStanding], damaged: Iterable[str]) -> None:
        super().__init__(found, damaged)
        self._folder = folder
        self._looked: dict[str, tuple[str, ...]] = {}

    def bundle_problems(self, slip: SlipStanding) -> tuple[str, ...]:
        """What is wrong with raw output and bundles; what is not here (the slip travelled) accuses nobody."""
        if slip.id not in self._looked:
            self._looked[slip.id] = tuple(self._found(slip))
        return self._looked[slip.id]

    def _found(self, slip: SlipStanding) -> Iterator[str]:
        path = self._folder / slip.slip.raw.path
        if path.is_file() and _sha256(path) != slip.slip.raw.sha256:
            yield f"{slip.slip.raw.path} was changed since"
        own = self._folder / f"{slip.id}{BUNDLE}"
        if own.is_dir():
            yield from _faults(own, Known(slip=slip.id))
            yield from _cut(own, slip)
        if path.is_file() and (path.parent / SUMS).is_file():
            yield from _faults(path.parent, NOBODY)


def _faults(folder: Path, known: Known) -> Iterator[str]:
    """What `verify` says of a bundle, offline; the first faults by name."""
    try:
        checked = verify(folder, known)
    except DenominatorError as error:
        yield f"bundle {folder.name[:SHORT]}: {error.what}"
        return
    yield from (f"bundle {folder.name[:SHORT]}: {one.kind}: {one.where}: {one.what}" for one in checked.faults[:SHOWN])
    if len(checked.faults) > SHOWN:
        yield f"bundle {folder.name[:SHORT]}: {len(checked.faults) - SHOWN} faults more (denominator verify)"


def _cut(folder: Path, slip: SlipStanding) -> Iterator[str]:
    """The record may have grown since the bundle was made; it may not have lost a line."""
    head = folder / SLIP_HEAD
    if head.is_file() and (what := cut_since(slip.id, written(slip.lines), read_bytes(head, HEAD_BYTES))):
        yield f"bundle {folder.name[:SHORT]}: its slip.head does not fit the record of today: {what}"


def _sha256(path: Path) -> str:
    found = hashlib.sha256()
    for chunk in read_chunks(path):
        found.update(chunk)
    return found.hexdigest()
