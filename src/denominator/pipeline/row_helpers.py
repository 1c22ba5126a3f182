"""Another process that reads one range of a ledger file. It ends when it is no longer wanted, or when this one ends."""

from __future__ import annotations

import gc
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress

from denominator.pipeline.row_parts import Told, new_part, receive, send
from denominator.pipeline.row_ranges import Range, opened_range
from denominator.records.seals import Terms

Answer = Callable[[], Told | None]
"""Waits for what another process read; nothing where it did not come to the end."""
HandOut = Callable[[int, Range, Terms], AbstractContextManager[Answer]]
"""Gives a range of the file behind a descriptor to another process."""
COMMAND = ("-P", "-m", "denominator.pipeline.row_helping")
"""-P: nothing is imported from the folder that the user happens to be in."""
END_OF_FILE = "end"


@contextmanager
def other_process(descriptor: int, part: Range, terms: Terms) -> Iterator[Answer]:
    """A process of its own for a range; where none can be had, there is no answer."""
    stop = END_OF_FILE if part.stop is None else str(part.stop)
    argv = (sys.executable, *COMMAND, *map(str, (descriptor, part.start)), stop, str(os.getpid()))
    try:
        child = subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, pass_fds=(descriptor,)
        )
    except (OSError, ValueError):
        yield lambda: None
        return
    with child:
        try:
            with suppress(OSError):
                _say(child, terms)
            yield lambda: _answer(child)
        finally:
            child.kill()


def _say(child: subprocess.Popen[bytes], terms: Terms) -> None:
    if child.stdin is not None:
        with child.stdin:
            pickle.dump(terms, child.stdin)


def _answer(child: subprocess.Popen[bytes]) -> Told | None:
    if child.stdout is None:
        return None
    told = receive(child.stdout)
    child.stdout.close()
    # It has said all, or ended: waiting for it now gives its memory back before the draws are made.
    child.kill()
    child.wait()
    return told


def help_out(argv: list[str]) -> None:
    """The other process: read the range that `argv` names under the terms on standard input, answer on standard output."""
    descriptor, start, stop, parent = argv
    gc.disable()
    terms: Terms = pickle.load(sys.stdin.buffer)  # noqa: S301 (from the process that started this one)
    part, found = new_part(terms), Range(int(start), None if stop == END_OF_FILE else int(stop))

    def go_on() -> None:
        if os.getppid() != int(parent):
            raise SystemExit

    part.read(opened_range(int(descriptor), found), found.start, go_on)
    send(part, sys.stdout.buffer)
