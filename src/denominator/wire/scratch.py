"""Temporary folders held by a lock, so that a later process can remove what a killed one left.

The kernel lets go of the lock when the process dies, however that happens, and in whatever container it was. A folder gets
the name that a sweep looks at only when it is locked.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from denominator.errors import MachineError

__all__ = ["BEGUN_S", "held", "scratch_folder", "sweep"]

BEGUN_S = 3600.0  # nobody takes longer from making a folder to locking it
Remove = Callable[[Path], None]


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def scratch_folder(kind: str, remove: Remove = _remove) -> Iterator[Path]:
    """A fresh folder for temporary files, closed to other users, gone afterwards.

    The first one of a `kind` (letters) in a process sweeps what dead ones left of that kind. `remove` takes a folder away.
    """
    maker = os.getpid()
    _sweep_once(kind, remove, maker)
    begun = tempfile.mkdtemp(prefix=_begun(kind))
    fd = os.open(begun, os.O_RDONLY | os.O_DIRECTORY)
    folder = Path(begun.replace(_begun(kind), held(kind)))
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        Path(begun).rename(folder)
        yield folder
    finally:
        try:
            if os.getpid() == maker:  # what a forked process inherits is its parent's
                remove(folder)
        finally:
            os.close(fd)


@functools.cache
def _sweep_once(kind: str, remove: Remove, pid: int) -> None:
    del pid  # a forked process asks again
    sweep(kind, remove)


def sweep(kind: str, remove: Remove = _remove, *, dry_run: bool = False) -> list[Path]:
    """Remove the folders of a kind whose process is dead; which they were. Two at once share the work."""
    gone = []
    for entry in os.scandir(tempfile.gettempdir()):
        if not entry.name.startswith((held(kind), _begun(kind))):
            continue
        with contextlib.ExitStack() as undo:
            if _is_dead(entry, kind, undo):
                gone.append(Path(entry.path))
                if not dry_run:
                    with contextlib.suppress(OSError, MachineError):  # it will go with /tmp
                        remove(Path(entry.path))
    return sorted(gone)


def _begun(kind: str) -> str:
    return f"denominator-begun-{kind}-"


def held(kind: str) -> str:
    """How the names of a kind's folders begin."""
    return f"denominator-held-{kind}-"


def _is_dead(entry: os.DirEntry[str], kind: str, undo: contextlib.ExitStack) -> bool:
    """Ours, still there, and locked by nobody; from here by us until `undo`.

    What is just being made has no lock yet, and nothing in it.
    """
    try:
        fd = os.open(entry.path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return False
    undo.callback(os.close, fd)
    about = os.fstat(fd)
    if about.st_uid != os.geteuid():
        return False
    if entry.name.startswith(_begun(kind)) and time.time() - about.st_mtime < BEGUN_S:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return os.fstat(fd).st_nlink > 0
