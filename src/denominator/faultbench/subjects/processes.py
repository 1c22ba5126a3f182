"""The processes of a foreign command: everything below the bench but the sandbox's own programs."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterable
from pathlib import Path

OWN = ("bwrap", "setpriv", "prlimit")
"""Programs that hold a sandbox together: a signal to them would end it from outside."""


def inside() -> list[int]:
    """Living processes below this one that are the command's, oldest first."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            stat = (path / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
            if stat[0] not in "ZX":
                children.setdefault(int(stat[1]), []).append(int(path.name))
    found, todo = [], sorted(children.get(os.getpid(), []))
    while todo:
        pid = todo.pop(0)
        todo += sorted(children.get(pid, []))
        if _program(pid) not in OWN:
            found.append(pid)
    return found


def _program(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text("utf-8", "replace").strip()
    except OSError:
        return ""


def is_stopped(pid: int) -> bool:
    """Has it stopped itself (or been stopped)?"""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()[0] == "T"
    except (OSError, IndexError):
        return False


def send(pids: Iterable[int], number: signal.Signals) -> None:
    """A signal to each; one that is gone needs none."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)
