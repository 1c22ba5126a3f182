"""A bundle's folder as one file, the same bytes every time: sorted names, no times, no owners, plain modes."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

TAR, ZIP = (".tar.gz", ".tgz"), ".zip"
LEVEL = 6
MODE = 0o644
LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The earliest date that a zip can hold."""


def packed_name(target: Path) -> str:
    """The name of the folder inside an archive; "" where the target is no archive."""
    return next((target.name.removesuffix(end) for end in (*TAR, ZIP) if target.name.endswith(end)), "")


def pack(folder: Path, target: Path) -> bytes:
    """The archive. Its bytes depend on the names and bytes of the files, and on the zlib that packs them."""
    return _zip(folder, target) if target.name.endswith(ZIP) else _tar(folder, target)


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        yield path.relative_to(folder).as_posix(), path


def _tar(folder: Path, target: Path) -> bytes:
    out, inside = io.BytesIO(), packed_name(target)
    with (
        gzip.GzipFile(filename="", mode="wb", compresslevel=LEVEL, fileobj=out, mtime=0) as coded,
        tarfile.open(fileobj=coded, mode="w", format=tarfile.USTAR_FORMAT) as tar,
    ):
        for name, path in _files(folder):
            entry = tarfile.TarInfo(f"{inside}/{name}")
            entry.size, entry.mode = path.stat().st_size, MODE
            with path.open("rb") as file:
                tar.addfile(entry, file)
    return out.getvalue()


def _zip(folder: Path, target: Path) -> bytes:
    out, inside = io.BytesIO(), packed_name(target)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as packed:
        for name, path in _files(folder):
            entry = zipfile.ZipInfo(f"{inside}/{name}", LONG_AGO)
            entry.compress_type, entry.external_attr, entry.create_system = zipfile.ZIP_DEFLATED, MODE << 16, 3
            packed.writestr(entry, path.read_bytes())
    return out.getvalue()
