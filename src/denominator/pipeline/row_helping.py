"""The program of a process that reads one range of a file for another one."""

from __future__ import annotations

import gc
import os
import pickle
import sys

from denominator.pipeline.row_ranges import END_OF_FILE, Range


def help_out(argv: list[str]) -> None:
    """Do the work on standard input with the range that `argv` names, answer on standard output."""
    descriptor, start, stop, parent = argv
    gc.disable()
    work = pickle.load(sys.stdin.buffer)  # noqa: S301 (from the process that started this one)

    def go_on() -> None:
        if os.getppid() != int(parent):
            raise SystemExit

    part = Range(int(start), None if stop == END_OF_FILE else int(stop))
    work.into(int(descriptor), part, go_on, sys.stdout.buffer)


if __name__ == "__main__":
    help_out(sys.argv[1:])
