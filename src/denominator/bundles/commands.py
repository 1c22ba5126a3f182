"""commands.txt: every command that the seal fixes, word for word."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from denominator.records.seals import Seal

START = "# The command line that started the run is not in its journal. What follows is sealed."


def commands_text(seal: Seal) -> bytes:
    """The agent's command, then the one that decides each task, in the order of their ids."""
    return ("\n".join(_lines(seal)) + "\n").encode()


def _lines(seal: Seal) -> Iterator[str]:
    yield START
    yield f"# agent {seal.arm.agent!s}, arm {seal.arm.label!s}"
    yield shlex.join(seal.arm.command) if seal.arm.command else "# no command: this agent is part of the program"
    for one in sorted(seal.tasks, key=lambda sealed: sealed.task.id):
        yield f"# task {one.task.id}: verify"
        yield (
            shlex.join(one.task.verify.command)
            if one.task.verify.command
            else "# none: the grader runs the expected tests"
        )
