"""The kit as sandboxes see it: written once a process, shown read-only to every grading of it.

It holds nothing of a task. Making its files anew took a grading longer than all the rest that the harness does.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from denominator.adapters.graders.bytecode import write_module
from denominator.wire.scratch import scratch_folder

SERVES = ("kit/sut/inside/", "kit/runner/place.py")  # all that a solution's sandbox shows of the kit
RUNNER, SOLUTION = "kit", "solution"


@dataclass(frozen=True, slots=True)
class Kit:
    """A folder whose parts `kit` and `solution` two kinds of sandboxes show as /kit. `files` is what it was made of."""

    pid: int
    folder: Path
    files: Mapping[str, bytes]
    sizes: Mapping[Path, int]

    def is_whole(self) -> bool:
        """Is all of it still there? Whoever clears old files away does not know that it is in use."""
        try:
            return all(path.stat().st_size == size for path, size in self.sizes.items())
        except OSError:
            return False


_lock = threading.Lock()
_made: list[Kit] = []


def kit(files: Mapping[str, bytes]) -> Path:
    """The folder of the kit among the grader's own `files` (relative path -> bytes); it goes with this process."""
    wanted = {path: data for path, data in files.items() if path.startswith("kit/")}
    with _lock:
        if not (_made and _made[0].pid == os.getpid() and _made[0].files == wanted and _made[0].is_whole()):
            _made[:] = [_make(wanted)]  # an older one stays till the end: a grading may be at it
        return _made[0].folder


def _make(files: Mapping[str, bytes]) -> Kit:
    held = contextlib.ExitStack()
    folder = held.enter_context(scratch_folder(RUNNER))
    atexit.register(held.close)
    folder.chmod(0o755)
    for path, data in files.items():
        inside = path.removeprefix("kit/")
        inside = f"lib/{inside}" if inside.startswith("sut/") else inside
        write_module(folder, f"{RUNNER}/{inside}", f"/kit/{inside}", data)
        if path.startswith(SERVES):
            name = path.rpartition("/")[2]
            write_module(folder, f"{SOLUTION}/{name}", f"/kit/{name}", data)
    sizes = {each: each.stat().st_size for each in folder.rglob("*") if each.is_file()}
    return Kit(os.getpid(), folder, files, sizes)
