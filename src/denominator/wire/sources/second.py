"""A second process that digests bytes while this one goes on. Both share a piece of memory, and it ends with this one.

The interpreter runs one thread at a time, and a thread that asks for it again after every digest waits longer than the digest
takes: a process does not. It is this file, run as a script; it imports nothing of ours, so that it begins at once.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import select
import struct
import subprocess
import sys
import zlib
from collections import deque
from contextlib import suppress
from typing import NamedTuple

SHARED_BYTES = 64 << 20
"""What does not fit is for the caller. Memory is taken only where bytes were put."""
JOB, DONE = struct.Struct("<QQ"), struct.Struct("<32sL")
READY = b"\0"


class Sums(NamedTuple):
    """sha256, in hexadecimal, and crc32 of some bytes."""

    sha256: str
    crc: int


def sums_of(data: bytes | memoryview) -> Sums:
    """Both, made here."""
    return Sums(hashlib.sha256(data).hexdigest(), zlib.crc32(data))


class Second:
    """The other process. What is given to it is taken back in the same order. OSError: none can be had."""

    def __init__(self) -> None:
        if not hasattr(os, "memfd_create") or len(os.sched_getaffinity(0)) < 2:
            raise OSError("no memory to share, or no second core")
        descriptor = os.memfd_create("digests")
        try:
            os.ftruncate(descriptor, SHARED_BYTES)
            self._memory = mmap.mmap(descriptor, SHARED_BYTES)
            argv = (sys.executable, "-I", "-S", __file__, str(descriptor))
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
            self._child = subprocess.Popen(argv, bufsize=0, pass_fds=(descriptor,), **pipes)  # type: ignore[call-overload]
        finally:
            os.close(descriptor)
        self._given: deque[tuple[int, int]] = deque()
        self._ready = False

    def give(self, data: bytes) -> bool:
        """The next value; false where it has not begun yet, or has no room. Whether it arrived shows when it is taken back."""
        start = self._room(len(data)) if self._begun() else None
        if start is None:
            return False
        self._given.append((start, start + len(data)))
        self._memory[start : start + len(data)] = data
        with suppress(OSError):
            self._child.stdin.write(JOB.pack(start, len(data)))
        return True

    def _begun(self) -> bool:
        if not self._ready and select.select([self._child.stdout], [], [], 0)[0]:
            self._ready = self._child.stdout.read(1) == READY
        return self._ready

    def _room(self, length: int) -> int | None:
        """Where so many bytes can stand: as near to the beginning as may be, for memory that was used a moment ago is quick."""
        start = 0
        for taken, end in sorted(self._given):
            if taken - start >= length:
                break
            start = end
        return start if start + length <= SHARED_BYTES else None

    def take(self) -> Sums | None:
        """Of the value that was given first and not taken yet; None: the process has ended."""
        self._given.popleft()
        try:
            done = self._child.stdout.read(DONE.size)
        except OSError:
            return None
        if len(done) < DONE.size:
            return None
        sha256, crc = DONE.unpack(done)
        return Sums(sha256.hex(), crc)

    def close(self) -> None:
        """End it, whatever it still has to do."""
        self._child.kill()
        with self._child, suppress(OSError):
            self._memory.close()


def work(descriptor: int) -> None:
    """What the other process does until nobody asks any more."""
    with memoryview(mmap.mmap(descriptor, SHARED_BYTES, prot=mmap.PROT_READ)) as memory:
        os.write(1, READY)
        while len(job := os.read(0, JOB.size)) == JOB.size:
            start, length = JOB.unpack(job)
            with memory[start : start + length] as part:
                os.write(1, DONE.pack(hashlib.sha256(part).digest(), zlib.crc32(part)))


if __name__ == "__main__":
    work(int(sys.argv[1]))
