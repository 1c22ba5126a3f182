"""Files of another harness -> ledger -> judgement."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from denominator.errors import InputError, Problem
from denominator.importers import Report, import_rows, is_log, read_column_map
from denominator.pipeline.import_sources import keep_sources
from denominator.pipeline.large_import import import_large
from denominator.pipeline.results import Result, judge_ledger, save_imported
from denominator.readers.logs import LogRead, read_log
from denominator.wire.bounded import read_bytes, read_chunks, read_text

MAX_BYTES = 1 << 30
DEPTH_MAX = 6
FILES_MAX = 10_000


def import_paths(
    paths: Sequence[Path],
    column_map: Path | None,
    where: Sequence[str],
    out: Path | None,
    stated: Sequence[tuple[str, bytes]] = (),
    large: int | None = None,
) -> tuple[Report, Result]:
    """Read files (or the files of folders, with the folders below) as one run and judge it; `stated` came without a file.

    A file of rows from `large` bytes on is read line by line, with the same card, where nothing forbids it. Its rows are read again
    when they are looked at, and the labels of its source stand inside them: for who prints the card, not for who compares rows.
    """
    if out is not None and out.exists():
        raise InputError("the folder is in use", where=str(out), fix="name a new one; nothing was written")
    columns = read_column_map(read_text(column_map), str(column_map)) if column_map else None
    chosen = _pairs(where)
    if large is not None and (found := import_large(list(_files(paths)), columns, out, stated, large, chosen)):
        return found
    logs, files = _read(paths)
    imported = import_rows([*files, *stated], columns, chosen, logs)
    result = judge_ledger(imported.ledger, imported.terms, notes=imported.report.notes)
    if out is not None:
        save_imported(out, imported.ledger, imported.terms, result.card, imported.logs)
        if len(paths) == 1 and not (stated or columns or chosen):
            keep_sources(out, paths[0], imported.report)
    return imported.report, result


def _read(paths: Iterable[Path]) -> tuple[list[LogRead], list[tuple[str, bytes]]]:
    """Text logs by chunks, so that their size does not matter; every other file whole."""
    logs, files = [], []
    for name, path in _files(paths):
        if is_log(name):
            logs.append(read_log(name, read_chunks(path)))
        else:
            files.append((name, read_bytes(path, MAX_BYTES)))
    return logs, files


def _files(paths: Iterable[Path]) -> Iterable[tuple[str, Path]]:
    for path in paths:
        members = _members(path) if path.is_dir() else [path]
        if not members:
            raise InputError("the folder holds no files", where=str(path), fix="name the files themselves")
        for member in members:
            yield _name(member, path), member


def _members(folder: Path) -> list[Path]:
    """The files of a folder and of the folders below it; below, nothing hidden and no link is followed."""
    found = sorted(p for p in folder.iterdir() if p.is_file())
    for root, folders, names in os.walk(folder, onerror=_refuse):
        here = Path(root)
        deep = len(here.relative_to(folder).parts)
        folders[:] = sorted(name for name in folders if not name.startswith(".") and deep < DEPTH_MAX)
        if deep:
            files = (here / name for name in sorted(names) if not name.startswith("."))
            found += [one for one in files if one.is_file() and not one.is_symlink()]
        if len(found) > FILES_MAX:
            raise InputError(
                f"the folder holds more than {FILES_MAX} files", where=str(folder), fix="name the files of one result"
            )
    return found


def _refuse(error: OSError) -> None:
    """A folder that cannot be looked into may hold rows: without them every count would be wrong."""
    raise error


def _name(path: Path, named: Path) -> str:
    """The file's name, below the named folder, as text that can be written down; bytes that are no UTF-8 by number."""
    relative = path.relative_to(named).as_posix() if path != named else path.name
    return os.fsencode(relative).decode("utf-8", "backslashreplace")


def _pairs(where: Sequence[str]) -> dict[str, str]:
    bad = [Problem(f"--where {item}", "is not COLUMN=VALUE") for item in where if item.find("=") < 1]
    if bad:
        raise InputError("a filter cannot be read", where="--where", problems=bad)
    return dict(item.split("=", 1) for item in where)
