"""Rows of a long foreign file, one by one, read again when they are looked at."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Sequence
from typing import BinaryIO, overload

from denominator.errors import InputError
from denominator.importers.attempts import Reading, build
from denominator.importers.raw import RawRow
from denominator.pipeline.large_single import said_of
from denominator.records.labels import Label
from denominator.records.rows import AttemptRow
from denominator.wire.strict import read


class WholeForeign(Sequence[AttemptRow]):
    """Every row of a long foreign file, of which the offsets and the numbers of lines are known."""

    def __init__(self, file: BinaryIO, name: str, run_id: str, reading: Reading, places: tuple[array[int], array[int]]):
        self._file, self._name, self._run_id, self._reading = file, name, run_id, reading
        self._offsets, self._lines = places

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, at: int, /) -> AttemptRow: ...
    @overload
    def __getitem__(self, at: slice, /) -> tuple[AttemptRow, ...]: ...
    def __getitem__(self, at: int | slice, /) -> AttemptRow | tuple[AttemptRow, ...]:
        if isinstance(at, slice):
            return tuple(self[one] for one in range(*at.indices(len(self))))
        return said_of(*self.built(at))

    def built(self, at: int) -> tuple[AttemptRow, Sequence[Label]]:
        """A row and the labels of its source. InputError: the file is another one by now."""
        self._file.seek(self._offsets[at])
        raw = self._file.readline().removesuffix(b"\n")
        value, _ = read(raw, "decimal")
        if value.__class__ is dict:
            sha = hashlib.sha256(raw).hexdigest()
            found = build([RawRow(self._name, self._lines[at], sha, value)], self._reading, self._run_id)
            if found.rows:
                return found.rows[0], found.labels
        raise InputError("was changed while it was read", where=self._name, fix="run this again")
