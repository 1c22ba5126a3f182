"""Writing so that what was reported done survives a power cut: stage, fsync, rename, fsync the folder."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol
from uuid import uuid4


class Steps(Protocol):
    """Is told how far the writing of a file has come: bytes written, bytes durable, name given (not yet durable)."""

    def written(self) -> None: ...
    def synced(self) -> None: ...
    def renamed(self) -> None: ...


class Untold:
    """Nobody is told."""

    def written(self) -> None:
        """Nothing."""

    def synced(self) -> None:
        """Nothing."""

    def renamed(self) -> None:
        """Nothing."""


UNTOLD = Untold()


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def write_file(path: Path, data: bytes, *, mode: int = 0o644, replace: bool = True, told: Steps = UNTOLD) -> None:
    """Write a whole file or nothing. With `replace` false an existing file is an error (FileExistsError)."""
    stage = path.with_name(f".{path.name[:80]}.{uuid4().hex}.part")
    fd = os.open(stage, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        with os.fdopen(fd, "wb") as out:
            out.write(data)
            out.flush()
            told.written()
            os.fsync(out.fileno())
        told.synced()
        if replace:
            stage.rename(path)
        else:
            os.link(stage, path)
            stage.unlink()
    except BaseException:
        stage.unlink(missing_ok=True)
        raise
    told.renamed()
    sync_folder(path.parent)


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """One writer at a time; a system without such locks has one writer anyway."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    fd = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """A folder that gets its name when everything in it is written, or never. Raises FileExistsError where one is.

    Yields the passing folder beside it; its files are written with `write_file`.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    if os.path.lexists(folder):
        raise FileExistsError(folder)
    half = folder.with_name(f".new-{uuid4().hex}")
    half.mkdir()
    try:
        yield half
        half.rename(folder)
    except BaseException:
        shutil.rmtree(half, ignore_errors=True)
        raise
    sync_folder(folder.parent)
