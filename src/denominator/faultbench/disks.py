"""A small disk of our own: a tmpfs in private mounts, filled to the last byte while a process stands at its point."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from denominator.adapters.sandboxes import kernel

CLONE_NEWNS, CLONE_NEWUSER = 0x00020000, 0x10000000
FILLER = ".filled-by-the-fault-bench"
BLOCK = 1 << 20


@dataclass(slots=True)
class SmallDisk:
    """A mounted tmpfs; `mounted` is false once it is gone."""

    place: Path
    mounted: bool = True

    @classmethod
    def mount(cls, place: Path, size: int) -> SmallDisk:
        """Mount one at an empty folder. Needs `private_mounts` before."""
        place.mkdir(parents=True, exist_ok=True)
        kernel.mount_tmpfs(place, size, mode=0o755)
        return cls(place)

    def fill(self) -> int:
        """Leave no room: the bytes that were written until the system said ENOSPC."""
        return fill(self.place)

    def free(self) -> None:
        """Give the room back."""
        (self.place / FILLER).unlink(missing_ok=True)

    def unmount(self) -> None:
        """Take it away, and what is on it."""
        if self.mounted:
            self.mounted = False
            with contextlib.suppress(OSError):
                kernel.unmount(self.place)


def fill(folder: Path) -> int:
    """Fill the disk of a folder with one file, block by block, then byte by byte."""
    written, size = 0, BLOCK
    fd = os.open(folder / FILLER, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    try:
        while size:
            try:
                written += os.write(fd, b"\0" * size)
            except OSError as error:
                if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                    raise
                size //= 16
    finally:
        os.close(fd)
    return written


def private_mounts() -> str:
    """Give this process mounts of its own: as root at once, else in a user namespace. "" or why not.

    Has to be asked before any thread starts.
    """
    if sys.platform != "linux":
        return "only Linux has mounts of a process's own"
    return kernel.enter_private_mounts() if os.geteuid() == 0 else _own_namespace()


def _own_namespace() -> str:
    """An ordinary user's private mounts: a user namespace in which it keeps its own number."""
    uid, gid = os.getuid(), os.getgid()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0:
        return f"no user namespace: {os.strerror(ctypes.get_errno())}"
    try:
        Path("/proc/self/setgroups").write_text("deny", "ascii")
        Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1", "ascii")
        Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1", "ascii")
    except OSError as error:
        return f"no user namespace: {error.strerror}"
    return ""
