"""The scratch of a worker process: a name and a folder that no other process has, gone with it."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from uuid import uuid4

from denominator.adapters.sandboxes.removal import remove_tree
from denominator.errors import MachineError
from denominator.wire.durable import alone_in


def own_name() -> str:
    """A name that no other worker process has, with its number for people."""
    return f"{os.getpid()}-{uuid4().hex[:8]}"


@contextmanager
def own_scratch(name: str) -> Iterator[Path]:
    """A folder of this process below DENOMINATOR_SCRATCH (default: the system's temporary folder), gone with it.

    It is locked while its process lives: what dead ones left is removed by the next.
    """
    base = Path(os.environ.get("DENOMINATOR_SCRATCH") or tempfile.gettempdir()) / f"denominator-workers-{os.getuid()}"
    base.mkdir(mode=0o700, parents=True, exist_ok=True)
    if base.is_symlink() or base.stat().st_uid != os.getuid():
        raise MachineError("is not ours", where=str(base), fix="name another folder in DENOMINATOR_SCRATCH")
    with ExitStack() as held:
        with alone_in(base):
            for left in base.iterdir():
                with _locked(left) as mine:
                    if mine:
                        remove_tree(left)
            folder = base / name
            folder.mkdir(mode=0o700)
            held.enter_context(_locked(folder))
        held.callback(remove_tree, folder)
        yield folder


@contextmanager
def _locked(folder: Path) -> Iterator[bool]:
    """Hold a folder; False when a living process does."""
    try:
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        yield False
        return
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        yield False
    else:
        yield True
    finally:
        os.close(fd)
