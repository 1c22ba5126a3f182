"""The slips of a folder as quote check asks for them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from denominator.errors import DenominatorError
from denominator.pipeline.slip_store import slip_ids, standings
from denominator.quote import Slips, SlipTable
from denominator.records.slips import SlipStanding
from denominator.wire.bounded import read_chunks


def slips_in(folder: Path) -> tuple[Slips, list[DenominatorError]]:
    """The slips of a folder; what cannot be read of it is damaged, and each is told."""
    found, broken = standings(folder)
    damaged = set(slip_ids(folder)) - {one.id for one in found}
    return FolderSlips(folder, found, damaged), broken


class FolderSlips(SlipTable):
    """The slips of a folder. What a slip pins is looked at when it is cited: raw output that is there must be what it was."""

    def __init__(self, folder: Path, found: Iterable[SlipStanding], damaged: Iterable[str]) -> None:
        super().__init__(found, damaged)
        self._folder = folder
        self._looked: dict[str, tuple[str, ...]] = {}

    def bundle_problems(self, slip: SlipStanding) -> tuple[str, ...]:
        """Raw output with another sha256; one that is not here (the slip travelled) accuses nobody."""
        if slip.id not in self._looked:
            raw = slip.slip.raw
            path = self._folder / raw.path
            changed = path.is_file() and _sha256(path) != raw.sha256
            self._looked[slip.id] = (f"{raw.path} was changed since",) if changed else ()
        return self._looked[slip.id]


def _sha256(path: Path) -> str:
    found = hashlib.sha256()
    for chunk in read_chunks(path):
        found.update(chunk)
    return found.hexdigest()
