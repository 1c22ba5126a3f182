"""`import auto PATH`: recognised by a format's importer, else by the shape of its rows, else refused with what was seen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from denominator.errors import InputError
from denominator.importers import Report
from denominator.importers.foreign import Importer
from denominator.pipeline.foreign import import_foreign
from denominator.pipeline.foreign_declared import read_declared
from denominator.pipeline.importing import import_paths
from denominator.pipeline.recognising import part_of, recognise_one, unknown_format
from denominator.pipeline.results import Result
from denominator.wire.sources import open_source


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
        return read.report, read.result
    if part or declaring:
        raise unknown_format(files, [one.name for one in importers], "not tried: --run and --declare are for formats")
    try:
        return import_paths((path,), None, (), out)
    except InputError as error:
        if out is not None and out.exists():
            raise
        raise unknown_format(files, [one.name for one in importers], error.what) from error
