"""A second process that digests members of an archive while this one looks at them. It ends with this one.

One interpreter runs one thread at a time, and a thread that asks for it again after every digest waits longer than the digest
takes; and bytes that are copied to somebody else push out of the cache what is looked at next. So the other process reads the
members by itself, under the same limits, from the same open file.
"""

from __future__ import annotations

import hashlib
import os
import select
import struct
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from denominator.errors import InputError
from denominator.wire.sources.archive import Archive

JOB = struct.Struct("<Q")
READY, FAILED = b"\0", bytes(32)
COMMAND = ("-P", "-m", "denominator.wire.sources.second")
"""-P: nothing is imported from the folder that the user happens to be in."""


class Second:
    """The other process, for members of at most `most` bytes of the archive behind a descriptor. OSError: none can be had.

    Digests come in the order in which they were asked for.
    """

    def __init__(self, descriptor: int, most: int) -> None:
        if hasattr(os, "sched_getaffinity") and len(os.sched_getaffinity(0)) < 2:
            raise OSError("there is no second core")
        argv = (sys.executable, *COMMAND, str(descriptor), str(most))
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self._child = subprocess.Popen(argv, bufsize=0, pass_fds=(descriptor,), **pipes)  # type: ignore[call-overload]
        self._begun = False

    @property
    def begun(self) -> bool:
        """Is it at work? Until then it is asked for nothing."""
        if not self._begun and self.told:
            self._begun = self._child.stdout.read(1) == READY
        return self._begun

    @property
    def told(self) -> bool:
        """Is there an answer, or will there never be one? Then `take` need not wait."""
        return bool(select.select([self._child.stdout], [], [], 0)[0])

    def ask(self, place: int) -> None:
        """The digest of the member at a place of the archive's names. Whether it was heard shows when the answer is taken."""
        with suppress(OSError):
            self._child.stdin.write(JOB.pack(place))

    def take(self) -> str:
        """sha256 of the member that was asked for first and not taken yet; "": it cannot be read, or the process has ended."""
        try:
            done = self._child.stdout.read(len(FAILED))
        except OSError:
            return ""
        return done.hex() if len(done) == len(FAILED) and done != FAILED else ""

    def close(self) -> None:
        """End it, whatever it still has to do."""
        self._child.kill()
        with self._child:
            pass


def work(descriptor: int, most: int) -> None:
    """What the other process does until nobody asks any more."""
    archive = Archive(Path(), descriptor)
    names = archive.names()
    os.write(1, READY)
    while len(job := os.read(0, JOB.size)) == JOB.size:
        try:
            done = hashlib.sha256(archive.read(names[JOB.unpack(job)[0]], most)).digest()
        except InputError:
            done = FAILED
        os.write(1, done)


if __name__ == "__main__":
    work(int(sys.argv[1]), int(sys.argv[2]))
