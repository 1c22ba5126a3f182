"""The few system calls that the standard library lacks: private mounts, the exit of a process not our child."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import struct
from functools import cache
from pathlib import Path

__all__ = ["bind_mount", "enter_private_mounts", "mount_tmpfs", "unmount", "wait_status"]

CLONE_NEWNS = 0x00020000
MS_NOSUID, MS_NODEV, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 4096, 16384, 1 << 18
MNT_DETACH, UMOUNT_NOFOLLOW = 2, 8
PIDFD_GET_INFO = 0xC040FF0B  # _IOWR(0xFF, 11, 64 bytes), since Linux 6.13; the exit status since 6.15
PIDFD_INFO_EXIT = 1 << 3


def _call(name: str, *arguments: object) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if getattr(libc, name)(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def _mount(source: str, target: Path, kind: str | None, flags: int, options: str = "") -> None:
    _call(
        "mount",
        source.encode(),
        os.fsencode(target),
        kind.encode() if kind else None,
        ctypes.c_ulong(flags),
        options.encode(),
    )


def _threads() -> int:
    for line in Path("/proc/self/status").read_text("ascii", "replace").splitlines():
        if line.startswith("Threads:"):
            return int(line.split()[1])
    return 1


@cache
def _enter(pid: int) -> str:  # the pid is the key: a forked process asks again
    del pid
    if os.geteuid() != 0:
        return "only root can mount a sized tmpfs"
    if _threads() > 1:
        return "other threads were already running, they would not see the mounts"
    try:
        _call("unshare", CLONE_NEWNS)
        _mount("none", Path("/"), None, MS_REC | MS_PRIVATE)
    except OSError as error:
        return str(error)
    return ""


def enter_private_mounts() -> str:
    """Give this process mounts that vanish with it; returns "" or why not. Call before any thread starts."""
    return _enter(os.getpid())


def mount_tmpfs(folder: Path, size: int, mode: int = 0o711) -> None:
    """Mount an empty tmpfs of at most `size` bytes; no set-uid bits, no devices."""
    inodes = 1024 + size // 2048
    _mount("denominator", folder, "tmpfs", MS_NOSUID | MS_NODEV, f"size={size},nr_inodes={inodes},mode={mode:o}")


def bind_mount(source: Path, target: Path) -> None:
    """Show `source` at `target` too."""
    _mount(str(source), target, None, MS_BIND)


def unmount(folder: Path) -> None:
    """Take away the topmost mount at `folder`, even when it is busy."""
    _call("umount2", os.fsencode(folder), MNT_DETACH | UMOUNT_NOFOLLOW)


def wait_status(pidfd: int) -> int | None:
    """The wait status of a reaped process that is not our child; None where the kernel does not tell."""
    buffer = bytearray(64)
    struct.pack_into("=Q", buffer, 0, PIDFD_INFO_EXIT)
    with contextlib.suppress(OSError):
        fcntl.ioctl(pidfd, PIDFD_GET_INFO, buffer)
        if struct.unpack_from("=Q", buffer, 0)[0] & PIDFD_INFO_EXIT:
            status: int = struct.unpack_from("=i", buffer, 60)[0]
            return status
    return None
