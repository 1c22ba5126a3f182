"""`import auto PATH`: recognised by a format's importer, else by the shape of its rows, else refused with what was seen.

`import FORMAT PATH` reads the format that was named; where PATH is none of it, the one that it is is named in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from denominator.errors import InputError
from denominator.importers import Report
from denominator.importers.foreign import Importer
from denominator.pipeline.foreign import import_foreign
from denominator.pipeline.foreign_declared import read_declared
from denominator.pipeline.import_sources import keep_sources
from denominator.pipeline.importing import import_paths
from denominator.pipeline.recognising import claimed, part_of, recognise_all, recognise_one, unknown_format
from denominator.pipeline.results import Result
from denominator.wire.sources import Source, open_source


def import_auto(
    path: Path, importers: Sequence[Importer], part: str = "", declare: Path | None = None, out: Path | None = None
) -> tuple[Report, Result]:
    """Read a path as what it is. InputError: several formats fit, several runs are in it, or nothing reads it."""
    declaring = read_declared(declare)
    files = open_source(path)
    found = recognise_one(files, importers)
    if found is not None:
        part = part_of(found, part, files.name)
        read = import_foreign(found.importer, files, part, declaring, out, found.recognition.why)
        keep_sources(out, path, read.report, part, declare)
        return read.report, read.result
    if part or declaring:
        raise unknown_format(files, [one.name for one in importers], "not tried: --run and --declare are for formats")
    try:
        return import_paths((path,), None, (), out)
    except InputError as error:
        if out is not None and out.exists():
            raise
        raise unknown_format(files, [one.name for one in importers], error.what) from error


def import_named(
    importer: Importer,
    others: Callable[[], Iterable[Importer]],
    path: Path,
    part: str = "",
    declare: Path | None = None,
    out: Path | None = None,
) -> tuple[Report, Result]:
    """Read a path as a format. InputError, with the format that the path is of where it is another one's."""
    declaring = read_declared(declare)
    files = open_source(path)
    try:
        read = import_foreign(importer, files, part, declaring, out)
    except InputError as error:
        if claimed(importer, files) is not None:
            raise
        raise InputError(
            error.what,
            where=error.where or files.name,
            code=error.code,
            problems=error.problems,
            fix=_next(files, path, others),
        ) from error
    keep_sources(out, path, read.report, part, declare)
    return read.report, read.result


def _next(files: Source, path: Path, others: Callable[[], Iterable[Importer]]) -> str:
    """What to do with a source that is not of the format that was named."""
    try:
        found = recognise_all(files, others())
    except InputError:
        found = []
    if found:
        one = found[0]
        return (
            f"it looks like {one.importer.title} ({one.recognition.why}): denominator import {one.importer.name} {path}"
        )
    return f"no format knows it; what was seen there: denominator import auto {path}"
