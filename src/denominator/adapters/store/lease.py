"""Who holds a run: a process is named by pid, boot id and start time, so that a reused pid is not taken for it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

UNKNOWN_START = "unknown"


@dataclass(frozen=True, slots=True)
class Holder:
    """The process that holds a lease."""

    pid: int
    boot_id: str
    start_time: str


def holder_of_this_process(boot_id: str) -> Holder:
    """This process as a holder."""
    return Holder(os.getpid(), boot_id, start_time(os.getpid()))


def start_time(pid: int) -> str:
    """Clock ticks after boot at which a process started, as text; `unknown` where /proc does not tell."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return UNKNOWN_START
    # The command name may hold spaces and brackets; fields are counted from the last bracket.
    return stat.rpartition(")")[2].split()[19]


def alive(holder: Holder, boot_id: str) -> bool:
    """Does the holder still live? A process that cannot be checked (no /proc) counts as alive while its pid exists."""
    if holder.boot_id != boot_id:
        return False
    now = start_time(holder.pid)
    if now != UNKNOWN_START:
        return holder.start_time in (now, UNKNOWN_START)
    try:
        os.kill(holder.pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return not Path("/proc/self/stat").exists()
