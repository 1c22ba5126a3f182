"""The control group of one sandboxed command: its limits, who was killed for memory, and a sure kill."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Group"]


@dataclass(slots=True, kw_only=True)
class Group:
    """The control group of one sandboxed command, over all hierarchies in use."""

    folders: tuple[Path, ...]
    memory: tuple[Path, int] | None = None
    pids: tuple[Path, int] | None = None
    kill_file: Path | None = None
    swap_limited: bool = False
    enforced: dict[str, str] = field(default_factory=dict)

    def limit(self, memory_bytes: int, processes: int) -> None:
        """Write the limits; an unwritable one raises, for a limit that is not there must not look as if it were."""
        if self.memory:
            folder, version = self.memory
            name, swap = (
                ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes")
                if version == 1
                else ("memory.max", "memory.swap.max")
            )
            (folder / name).write_text(str(memory_bytes), "ascii")
            with contextlib.suppress(OSError):  # absent where the kernel does not account swap
                (folder / swap).write_text(str(memory_bytes if version == 1 else 0), "ascii")
                self.swap_limited = True
            swapped = "swap included" if self.swap_limited else "swap not limited"
            self.enforced["memory"] = f"{memory_bytes} cgroup v{version}, {swapped}, files in tmpfs included"
        if self.pids:
            folder, version = self.pids
            (folder / "pids.max").write_text(str(processes), "ascii")
            self.enforced["processes"] = f"{processes} cgroup v{version}, threads included"

    def enter(self, pid: int) -> None:
        """Move a process in; what it starts from now on is in too."""
        for folder in self.folders:
            (folder / "cgroup.procs").write_text(str(pid), "ascii")

    def oom_kills(self) -> int:
        """How many processes of the group the kernel killed for memory."""
        if not self.memory:
            return 0
        folder, version = self.memory
        events = folder / ("memory.oom_control" if version == 1 else "memory.events")
        with contextlib.suppress(OSError):
            for line in events.read_text("ascii").splitlines():
                word, _, count = line.partition(" ")
                if word == "oom_kill":
                    return int(count)
        return 0

    def members(self) -> set[int]:
        """The processes in the group now."""
        found: set[int] = set()
        for folder in self.folders:
            with contextlib.suppress(OSError):
                found.update(int(pid) for pid in (folder / "cgroup.procs").read_text("ascii").split())
        return found

    def kill(self) -> None:
        """Send SIGKILL to every member: in one stroke where the kernel can, else one by one."""
        if self.kill_file:
            with contextlib.suppress(OSError):
                self.kill_file.write_text("1", "ascii")
        for pid in self.members():
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)

    def empty(self, patience_s: float = 10.0) -> bool:
        """Kill until nobody is left; False when somebody still is after `patience_s`."""
        deadline = time.monotonic() + patience_s
        while self.members():
            self.kill()
            if time.monotonic() > deadline:
                return False
            time.sleep(0.002)
        return True

    def remove(self) -> None:
        """Remove the folders; the kernel may need a moment after the last process died."""
        for folder in self.folders:
            for _ in range(200):
                try:
                    folder.rmdir()
                except FileNotFoundError:
                    break
                except OSError:
                    time.sleep(0.005)
                else:
                    break
