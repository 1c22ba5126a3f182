"""Another process that reads one range of a file. It ends when it is no longer wanted, or when this one ends."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from tempfile import TemporaryFile
from typing import IO, BinaryIO, Protocol, TypeVar

from denominator.pipeline.row_parts import LedgerWork, Told
from denominator.pipeline.row_ranges import END_OF_FILE, Range
from denominator.records.seals import Terms

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Work(Protocol[T_co]):
    """What another process does with a range of a file: it goes there as it is, and writes what it read."""

    def into(self, descriptor: int, part: Range, go_on: Callable[[], None], out: BinaryIO, /) -> None:
        """Over there. `go_on` is called again and again."""
        ...

    def answer(self, source: IO[bytes], /) -> T_co | None:
        """What it wrote; nothing where it did not come to the end."""
        ...


Answer = Callable[[], Told | None]
"""Waits for what another process read; nothing where it did not come to the end."""
HandOut = Callable[[int, Range, Terms], AbstractContextManager[Answer]]
"""Gives a range of the file behind a descriptor to another process."""
COMMAND = ("-P", "-m", "denominator.pipeline.row_helping")
"""-P: nothing is imported from the folder that the user happens to be in."""


def other_process(descriptor: int, part: Range, terms: Terms) -> AbstractContextManager[Answer]:
    """A process of its own for a range of a ledger file."""
    return at_work(descriptor, part, LedgerWork(terms))


@contextmanager
def at_work(descriptor: int, part: Range, work: Work[T]) -> Iterator[Callable[[], T | None]]:
    """A process of its own for a range; where none can be had, there is no answer."""
    stop = END_OF_FILE if part.stop is None else str(part.stop)
    argv = (sys.executable, *COMMAND, *map(str, (descriptor, part.start)), stop, str(os.getpid()))
    try:
        with _said(work) as said:
            child = subprocess.Popen(
                argv, stdin=said, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, pass_fds=(descriptor,)
            )
    except (OSError, ValueError):
        yield lambda: None
        return
    with child:
        try:
            yield lambda: _answer(child, work)
        finally:
            child.kill()


def _said(work: Work[object]) -> IO[bytes]:
    """The work in a passing file: a pipe would keep this process waiting until the other one has begun."""
    said = TemporaryFile()  # noqa: SIM115 (whoever asked for it closes it)
    pickle.dump(work, said)
    said.seek(0)
    return said


def _answer(child: subprocess.Popen[bytes], work: Work[T]) -> T | None:
    if child.stdout is None:
        return None
    told = work.answer(child.stdout)
    child.stdout.close()
    # It has said all, or ended: waiting for it now gives its memory back before the draws are made.
    child.kill()
    child.wait()
    return told
