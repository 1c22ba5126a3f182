"""Rows of a ledger file made whole with what lies beside them, line by line: their place in a document, and other columns."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO, overload

from denominator.records.rows import AttemptRow
from denominator.wire.codec import loads

BESIDE = "beside.jsonl"


class BesideRows(Sequence[AttemptRow]):
    """Reads a row and the line beside it when it is looked at."""

    def __init__(self, rows: Sequence[AttemptRow], beside: BinaryIO) -> None:
        self._rows, self._beside = rows, beside
        self._offsets: array[int] | None = None

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, at: int, /) -> AttemptRow: ...
    @overload
    def __getitem__(self, at: slice, /) -> tuple[AttemptRow, ...]: ...
    def __getitem__(self, at: int | slice, /) -> AttemptRow | tuple[AttemptRow, ...]:
        if isinstance(at, slice):
            return tuple(self[one] for one in range(*at.indices(len(self))))
        row, told = self._rows[at], self._line(at)
        pointer, extra = told.get("pointer"), told.get("extra")
        if isinstance(pointer, str) and pointer:
            row = replace(row, source=replace(row.source, file=f"{row.source.file}#{pointer}"))
        return replace(row, extra={**extra, **row.extra}) if isinstance(extra, dict) and extra else row

    def _line(self, at: int) -> dict[str, Any]:
        offsets = self._offsets = self._offsets or self._look()
        if at >= len(offsets):
            return {}
        self._beside.seek(offsets[at])
        found = loads(self._beside.readline(), BESIDE)
        return found if isinstance(found, dict) else {}

    def _look(self) -> array[int]:
        """Where each line begins."""
        self._beside.seek(0)
        found, at = array("q"), 0
        for line in self._beside:
            found.append(at)
            at += len(line)
        return found


def made_whole(rows: Sequence[AttemptRow], folder: Path) -> Sequence[AttemptRow]:
    """The rows with what lies beside them in a folder, where something does. The file stays open as long as they live."""
    path = folder / BESIDE
    return BesideRows(rows, path.open("rb")) if path.is_file() else rows
