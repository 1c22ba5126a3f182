"""The folder of a grading on the host: it holds hidden tests, so one whose process is dead is swept."""

from __future__ import annotations

import contextlib
import fcntl
import functools
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

NAME, BEGUN = "denominator-grading-", "denominator-begun-"
BEGUN_S = 3600.0


@contextlib.contextmanager
def grading_folder() -> Iterator[Path]:
    """A fresh folder, gone afterwards. The kernel lets go of its lock when this process dies, however that happens."""
    _sweep_once()
    begun = tempfile.mkdtemp(prefix=BEGUN)
    fd = os.open(begun, os.O_RDONLY | os.O_DIRECTORY)
    folder = Path(begun.replace(BEGUN, NAME))
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        Path(begun).rename(folder)  # only now has it a name that a sweep looks at
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(fd)


@functools.cache
def _sweep_once() -> None:
    sweep()


def sweep(dry_run: bool = False) -> list[Path]:
    """Remove the folders of gradings whose process is dead; which they were."""
    gone = []
    for entry in os.scandir(tempfile.gettempdir()):
        if entry.name.startswith((NAME, BEGUN)) and _is_dead(entry):
            gone.append(Path(entry.path))
            if not dry_run:
                shutil.rmtree(entry.path, ignore_errors=True)
    return sorted(gone)


def _is_dead(entry: os.DirEntry[str]) -> bool:
    """Ours, and locked by nobody. One that is just being made has no lock yet, and nothing in it."""
    try:
        fd = os.open(entry.path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        about = os.fstat(fd)
        if about.st_uid != os.geteuid():
            return False
        if entry.name.startswith(BEGUN) and time.time() - about.st_mtime < BEGUN_S:
            return False
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(fd)
    return True
