"""A memory limit for a process that stands at its point: a control group where there is one, else RLIMIT_AS."""

from __future__ import annotations

import contextlib
import os
import resource
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from denominator.adapters.sandboxes.cgroups import Cgroups
from denominator.adapters.sandboxes.control_group import Group
from denominator.errors import MachineError

LEAST = 256 << 10
"""Bytes that a squeezed process may still take: fewer than one commit, one fork or one read of a file needs."""
PROCESSES = 4096


@dataclass(slots=True)
class Squeeze:
    """What took the memory away, and how to tell whether the kernel killed for it."""

    how: str
    group: Group | None = None
    kills: int = 0

    def killed(self) -> int:
        """How many processes the kernel ended for memory; 0 where only allocations were refused."""
        return max(self.kills, self.group.oom_kills() if self.group else 0)

    def release(self) -> None:
        """Give the group back; whoever is still in it is killed."""
        if self.group:
            self.kills = self.killed()
            self.group.empty(5.0)
            self.group.remove()


def squeeze(pids: Iterable[int], most: int = LEAST) -> Squeeze:
    """Take memory away from processes: from now on they get `most` bytes together."""
    group = _group(most)
    if group is not None and group.memory is not None:
        with contextlib.suppress(ProcessLookupError):
            for pid in pids:
                (group.memory[0] / "cgroup.procs").write_text(str(pid), "ascii")
        return Squeeze(f"memory cgroup v{group.memory[1]}", group)
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            have = _address_space(pid)
            resource.prlimit(pid, resource.RLIMIT_AS, (have, have))
    return Squeeze("RLIMIT_AS")


def _group(most: int) -> Group | None:
    try:
        found = Cgroups.detect()
        return found.group(most, PROCESSES) if found.memory else None
    except MachineError:
        return None


def _address_space(pid: int) -> int:
    """What a process has mapped now, in bytes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[0])
    return pages * os.sysconf("SC_PAGE_SIZE")
