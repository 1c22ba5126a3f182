"""Files of another harness -> ledger -> judgement."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from denominator.errors import InputError, Problem
from denominator.importers import Report, import_rows, read_column_map
from denominator.pipeline.results import Result, judge_ledger, save_imported
from denominator.wire.bounded import read_bytes, read_text

MAX_BYTES = 1 << 30


def import_paths(
    paths: Sequence[Path], column_map: Path | None, where: Sequence[str], out: Path | None
) -> tuple[Report, Result]:
    """Read files (or the files of folders, one level) as one run and judge it."""
    if out is not None and out.exists():
        raise InputError("the folder is in use", where=str(out), fix="name a new one; nothing was written")
    columns = read_column_map(read_text(column_map), str(column_map)) if column_map else None
    found = import_rows(list(_files(paths)), columns, _pairs(where))
    result = judge_ledger(found.ledger, found.terms, notes=found.report.notes)
    if out is not None:
        save_imported(out, found.ledger, found.terms, result.card)
    return found.report, result


def _files(paths: Iterable[Path]) -> Iterable[tuple[str, bytes]]:
    for path in paths:
        members = sorted(p for p in path.iterdir() if p.is_file()) if path.is_dir() else [path]
        if not members:
            raise InputError("the folder holds no files", where=str(path), fix="name the files themselves")
        for member in members:
            yield _name(member), read_bytes(member, MAX_BYTES)


def _name(path: Path) -> str:
    """The file's name as text that can be written down; bytes that are no UTF-8 are shown by their number."""
    return os.fsencode(path.name).decode("utf-8", "backslashreplace")


def _pairs(where: Sequence[str]) -> dict[str, str]:
    bad = [Problem(f"--where {item}", "is not COLUMN=VALUE") for item in where if item.find("=") < 1]
    if bad:
        raise InputError("a filter cannot be read", where="--where", problems=bad)
    return dict(item.split("=", 1) for item in where)
