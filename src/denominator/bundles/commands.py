"""commands.txt: what was typed to start the run, and every command that the seal fixes, word for word."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator

from denominator.records.events import Event
from denominator.records.seals import Seal
from denominator.wire.typed import shell_line

NOT_KEPT = "# not in the journal: no command line was kept when this began"


def commands_text(seal: Seal, events: Iterable[Event]) -> bytes:
    """Each start and resume, the agent's command, then the one that decides each task, in the order of their ids."""
    return ("\n".join((*_started(events), *_sealed(seal))) + "\n").encode()


def _started(events: Iterable[Event]) -> Iterator[str]:
    """What was typed is as the journal has it: secrets are covered, and a home folder is `~`."""
    for number, event in enumerate((one for one in events if one.kind == "run.started"), 1):
        yield f"# typed: start {number}" if number == 1 else f"# typed: start {number}, a resume"
        words = event.payload.get("argv")
        typed = [one for one in words if isinstance(one, str)] if isinstance(words, list | tuple) else []
        yield _one_line(shell_line(typed)) if typed else NOT_KEPT


def _one_line(text: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in text)


def _sealed(seal: Seal) -> Iterator[str]:
    yield f"# sealed: agent {seal.arm.agent!s}, arm {seal.arm.label!s}"
    yield shlex.join(seal.arm.command) if seal.arm.command else "# no command: this agent is part of the program"
    for one in sorted(seal.tasks, key=lambda sealed: sealed.task.id):
        yield f"# sealed: task {one.task.id}: verify"
        yield (
            shlex.join(one.task.verify.command)
            if one.task.verify.command
            else "# none: the grader runs the expected tests"
        )
