"""A lock that the kernel gives back when its holder dies, seen from every container that shows the same file.

A process of another pid namespace cannot be looked up by its pid; `flock` needs no pid. Where a file system has no such
lock, or the file cannot be made, there is none, and what the lease says by pid is all that is known.
"""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path

TAKEN = (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES)
NONE = -1


class FileLock:
    """One holder at a time. The file stays: who removes it would let a second one lock a file of the same name."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._fd = NONE
        self.sure = False
        """Is it held so that nobody else can have it?"""

    def take(self) -> bool:
        """False when somebody else has it, true when it is ours or there are no locks here."""
        try:
            fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError:
            return True
        found = _locked(fd, shared=False)
        if found is False:
            os.close(fd)
            return False
        self._fd, self.sure = fd, found is True
        return True

    def is_free(self) -> bool:
        """Could it be had now? Nothing is written."""
        try:
            fd = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return True
        try:
            return _locked(fd, shared=True) is not False
        finally:
            os.close(fd)

    def release(self) -> None:
        """Give it back, also when it is not held."""
        fd, self._fd, self.sure = self._fd, NONE, False
        if fd != NONE:
            with suppress(OSError):
                os.close(fd)


def _locked(fd: int, shared: bool) -> bool | None:
    """True: it is ours now; False: somebody else has it; None: there are no locks here."""
    try:
        import fcntl
    except ImportError:  # a system that runs nothing and only reads
        return None
    try:
        fcntl.flock(fd, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError as error:
        return False if error.errno in TAKEN else None
    return True
