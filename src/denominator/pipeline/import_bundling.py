"""`bundle` of results of another harness: of the folder that `import -o` wrote, or of the results themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from denominator._version import __version__
from denominator.bundles.layout import LABELS
from denominator.errors import InputError, InternalError
from denominator.pipeline.auto import import_auto
from denominator.pipeline.bundle_gathering import Wish
from denominator.pipeline.bundle_house import installed
from denominator.pipeline.bundle_private import refuse_private
from denominator.pipeline.bundle_slip import slip_parts
from denominator.pipeline.bundling import Made, delivered, refuse_taken
from denominator.pipeline.import_judging import Imported, import_files, judge_import
from denominator.pipeline.import_sources import (
    FILE,
    NOT_TOLD,
    SMALL_BYTES,
    Importers,
    blobs_of,
    chosen,
    gives,
    sources_of,
)
from denominator.pipeline.people import LABELS as LABELS_FILE
from denominator.pipeline.people import read_labels
from denominator.pipeline.results import Result, judge_saved
from denominator.ports import Signer
from denominator.records.import_bundles import ImportSources
from denominator.records.values import NotMeasured
from denominator.wire.bounded import read_bytes
from denominator.wire.canonical import canonical
from denominator.wire.codec import from_json, loads

MANY = "holds more rows than a bundle of an import takes"
FEWER = "import fewer rows (--declare, [subset]) with -o, and bundle that folder"
UNCUT = "; ledger and terms cannot be cut: mend it where the results were written, and import them again"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is to be packed: a path, which run in it, what is declared beside it."""

    path: Path
    part: str = ""
    declare: Path | None = None


def is_kept_import(path: Path) -> bool:
    """Is it the folder of an import?"""
    return any((path / name).is_file() for name in ("ledger.json", "terms.json"))


def bundle_import(asked: Asked, target: Path, wish: Wish, signer: Signer, importers: Importers) -> Made:
    """Make it at a place where nothing is. BlockedError: something in it may not travel, and nothing was written."""
    refuse_taken(target)
    kept = is_kept_import(asked.path)
    if kept and (asked.part or asked.declare):
        raise InputError("is imported already", where=str(asked.path), fix="leave out --run and --declare")
    taken = _of_folder(asked.path) if kept else _of_results(asked, importers)
    result, sources, data = taken.result, taken.sources, taken.data
    labels = read_labels(asked.path) if kept else ()
    if not isinstance(result.ledger.rows, tuple):
        raise InputError(MANY, where=str(asked.path), fix=FEWER)
    _refuse_unknown(wish, data)
    told = sources
    if isinstance(sources, ImportSources):
        told = chosen(sources, data, thin=wish.thin, left_out=wish.left_out)
    one = Imported(
        ledger=replace(result.ledger, labels=result.ledger.labels[: len(result.ledger.labels) - len(labels)]),
        terms=result.terms,
        labels=labels,
        notes=taken.notes,
        version=__version__,
        sources=told,
        reread=False,
    )
    if isinstance(told, ImportSources) and not labels:
        one = replace(one, reread=gives(told, data, importers, lambda again: _same(one, again)))
    again = judge_import(one, installed())
    if canonical(again.card) != canonical(result.card):
        raise InternalError("the bundle would not give the card of the import", where=str(asked.path))
    files = import_files(one, again, _more(asked, wish, kept))
    if isinstance(told, ImportSources):
        files |= blobs_of(told, data)
    refuse_private(files, UNCUT)
    return delivered(target, files, wish, signer)


def _same(one: Imported, again: Result) -> bool:
    return canonical(again.ledger) == canonical(one.ledger) and canonical(again.terms) == canonical(one.terms)


@dataclass(frozen=True, slots=True)
class _Taken:
    """A judged import, what it was read from, its bytes by digest, and what its reader noted."""

    result: Result
    sources: ImportSources | NotMeasured
    data: dict[str, bytes]
    notes: tuple[str, ...] = ()


def _of_folder(folder: Path) -> _Taken:
    if not (folder / "ledger.json").is_file():
        raise InputError(MANY, where=str(folder), fix=FEWER)
    path, sources = folder / FILE, NOT_TOLD
    if path.is_file():
        found: ImportSources | NotMeasured = from_json(ImportSources, loads(read_bytes(path), str(path)), str(path))
        return _Taken(judge_saved(folder), found, {})
    return _Taken(judge_saved(folder), sources, {})


def _of_results(asked: Asked, importers: Importers) -> _Taken:
    report, result = import_auto(asked.path, tuple(importers()), asked.part, asked.declare)
    sources, data = sources_of(asked.path, report, asked.part, asked.declare, 4 * SMALL_BYTES)
    return _Taken(result, sources, data, report.notes)


def _refuse_unknown(wish: Wish, data: Mapping[str, bytes]) -> None:
    if unknown := sorted(wish.left_out - {*data}):
        what = f"no original file that would travel is {', '.join(one[:16] for one in unknown)}"
        raise InputError(what, where="--leave-out", fix="give a whole sha256, as the refusal named it")


def _more(asked: Asked, wish: Wish, kept: bool) -> dict[str, bytes]:
    found = {}
    if kept and (asked.path / LABELS_FILE).is_file():
        found[LABELS] = read_bytes(asked.path / LABELS_FILE)
    if wish.slip is not None:
        found |= slip_parts(wish.slip)
    return found
