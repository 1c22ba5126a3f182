"""The original files of an import: named, digested, and read again from a bundle."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from denominator.bundles.imports import LARGE, NOT_KEPT, PRIVATE
from denominator.bundles.layout import THIN, blob_name
from denominator.bundles.redaction import private_places
from denominator.errors import DenominatorError, InputError
from denominator.records.import_bundles import ImportSources, Original
from denominator.records.values import NotMeasured
from denominator.wire.bounded import read_bytes
from denominator.wire.canonical import canonical, sha256_bytes
from denominator.wire.durable import write_file

if TYPE_CHECKING:
    from denominator.importers.foreign import Importer
    from denominator.importers.report import Report
    from denominator.pipeline.results import Result

FILE = "sources.json"
SMALL_BYTES = 16 << 20
"""Up to this much in all, the originals travel with a bundle."""
KEPT_BYTES = 64 << 20
"""Up to this much in all, an import digests what it read a second time."""
TOO_MUCH = NotMeasured("more than 64 MB were read: digest them and name the digests yourself")
ODD_NAME = NotMeasured("a name of what was read is no text that can be written down")
NOT_TOLD = NotMeasured("the import keeps no list of what it was read from")
Importers = Callable[[], Iterable["Importer"]]


def sources_of(
    path: Path, report: Report, part: str, declare: Path | None, most: int = KEPT_BYTES
) -> tuple[ImportSources | NotMeasured, dict[str, bytes]]:
    """What an import was read from, and its bytes by digest. Not measured where it is more than `most` bytes."""
    files = [(one.name, path / one.name) for one in report.files if _is_file(path, one.name)] if path.is_dir() else []
    named = files or [(path.name, path)]
    declared = [(declare.name, declare)] if declare else []
    if not all(one.is_file() for _, one in named) or sum(one.stat().st_size for _, one in named) > most:
        return (TOO_MUCH if all(one.is_file() for _, one in named) else NOT_TOLD), {}
    place = path.absolute().name
    if not all(_is_text(one) for one in (place, part, *(name for name, _ in (*named, *declared)))):
        return ODD_NAME, {}
    found: dict[str, bytes] = {}
    read = [[_original(name, read_bytes(file, most), found) for name, file in some] for some in (named, declared)]
    sources = ImportSources(
        format=report.shape,
        place=place,
        folder=path.is_dir(),
        part=part,
        files=tuple(read[0]),
        declared=tuple(read[1]),
    )
    return sources, found


def keep_sources(out: Path | None, path: Path, report: Report, part: str = "", declare: Path | None = None) -> None:
    """Write beside a kept import what it was read from; nothing where that is much, or where nothing is kept."""
    if out is None:
        return
    sources, _ = sources_of(path, report, part, declare)
    if isinstance(sources, ImportSources):
        write_file(out / FILE, canonical(sources) + b"\n")


def _is_file(path: Path, name: str) -> bool:
    return is_safe(name) and (path / name).is_file()


def _is_text(name: str) -> bool:
    """Is it free of bytes that were no UTF-8?"""
    return not any("\ud800" <= char <= "\udfff" for char in name)


def _original(name: str, data: bytes, found: dict[str, bytes]) -> Original:
    sha = sha256_bytes(data)
    found[sha] = data
    return Original(name=name, sha256=sha, size=len(data))


def is_safe(name: str) -> bool:
    """Can a file be made under this name without leaving a folder?"""
    parts = PurePosixPath(name).parts
    odd = "\0" in name or name.startswith("/") or any(len(os.fsencode(one)) > 200 for one in parts)
    return bool(parts) and not odd and ".." not in parts and len(parts) < 32


def chosen(sources: ImportSources, data: Mapping[str, bytes], *, thin: bool, left_out: frozenset[str]) -> ImportSources:
    """Which of the originals travel: all of them where they are small, but for those that are to stay or hold what may not."""
    large = sum(map(len, data.values())) > SMALL_BYTES

    def why(one: Original) -> str:
        if one.sha256 not in data:
            return NOT_KEPT
        if any(True for _ in private_places(one.name, data[one.sha256])):
            return PRIVATE
        if one.sha256 in left_out:
            return "left out by the issuer: only its digest travels"
        return THIN if thin else LARGE if large else ""

    return replace(
        sources,
        files=tuple(replace(one, left_out=why(one)) for one in sources.files),
        declared=tuple(replace(one, left_out=why(one)) for one in sources.declared),
    )


def read_again(sources: ImportSources, blob: Callable[[str], bytes], importers: Importers) -> Result:
    """The import once more, from bytes of the originals by digest. InputError: an odd name, or it cannot be read."""
    from denominator.pipeline.auto import import_auto

    with tempfile.TemporaryDirectory(prefix="denominator-import-") as passing:
        root = Path(passing) / "files"
        place = _put(root, sources.place, b"", folder=True) if sources.folder else root
        for one in sources.files:
            put = _put(place, one.name, blob(one.sha256))
        declared = [_put(Path(passing) / "declared", one.name, blob(one.sha256)) for one in sources.declared]
        path = place if sources.folder else put
        return import_auto(path, tuple(importers()), sources.part, declared[0] if declared else None)[1]


def _put(root: Path, name: str, data: bytes, *, folder: bool = False) -> Path:
    if not is_safe(name):
        raise InputError(f"{name[:60]!r} is no name of an original file", where="import.json")
    path = root / name
    (path if folder else path.parent).mkdir(parents=True, exist_ok=True)
    if not folder:
        path.write_bytes(data)
    return path


def gives(
    sources: ImportSources, data: Mapping[str, bytes], importers: Importers, same: Callable[[Result], bool]
) -> bool:
    """Do the originals that travel give the same import again?"""
    if any(one.left_out for one in (*sources.files, *sources.declared)):
        return False
    try:
        return same(read_again(sources, lambda sha: data[sha], importers))
    except (DenominatorError, OSError):
        return False


def blobs_of(sources: ImportSources, data: Mapping[str, bytes]) -> dict[str, bytes]:
    """The originals that travel, as files of a bundle."""
    here = (*sources.files, *sources.declared)
    return {blob_name(one.sha256): data[one.sha256] for one in here if not one.left_out}
