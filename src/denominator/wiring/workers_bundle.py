"""What a worker on another machine needs of a run, as blobs: its seal, pack, baseline and recording, each file by digest."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from denominator.errors import InputError
from denominator.pipeline.world import OpenRun
from denominator.ports import Blobs
from denominator.wire.canonical import canonical
from denominator.wire.codec import from_json, loads
from denominator.wiring.cassettes import PLACE

CARRIED = ("seal.json", "baseline.json", "journal.toml", "pack", PLACE)
"""Of a run's folder. What workers write lies in the journal and the blobs; what judges write is made at home."""


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """One file below the run's folder."""

    path: str
    sha256: str
    mode: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """All files, and the folders (empty ones are part of a tree)."""

    files: tuple[File, ...]
    folders: tuple[str, ...]


def pack_up(run: OpenRun) -> str:
    """Store what workers need; the digest of its list. Storing it again changes nothing."""
    root = run.folder.root
    files, folders = [], []
    for path in _below(root):
        name = path.relative_to(root).as_posix()
        if path.is_dir():
            folders.append(name)
        else:
            files.append(File(path=name, sha256=run.blobs.put(path.read_bytes()), mode=path.stat().st_mode & 0o777))
    return run.blobs.put(canonical(Bundle(files=tuple(files), folders=tuple(folders))))


def unpack(blobs: Blobs, sha: str, root: Path) -> None:
    """Make the run's folder anew. Raises InputError when a name leads out of it."""
    bundle = from_json(Bundle, loads(blobs.get(sha), "bundle"), "bundle")
    for name in bundle.folders:
        _inside(root, name).mkdir(parents=True, exist_ok=True)
    for file in bundle.files:
        path = _inside(root, file.path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(blobs.get(file.sha256))
        path.chmod(file.mode & 0o777)


def _below(root: Path) -> Iterator[Path]:
    for name in CARRIED:
        top = root / name
        if top.is_file():
            yield top
        elif top.is_dir():
            yield top
            for folder, names, files in os.walk(top):
                yield from (Path(folder) / each for each in sorted(names))
                yield from (Path(folder) / each for each in sorted(files))


def _inside(root: Path, name: str) -> Path:
    parts = name.split("/")
    if not name or any(part in ("", ".", "..") for part in parts) or parts[0] not in CARRIED:
        raise InputError(f"names {name!r}, which is no part of a run's folder", where="bundle")
    return root.joinpath(*parts)
