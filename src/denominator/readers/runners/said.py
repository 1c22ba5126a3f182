"""What a runner's front end printed, for the signs that go with its exit status; never asked alone."""

from __future__ import annotations

import re
from dataclasses import replace

from denominator.readers.runners.kinds.shape import Runner
from denominator.readers.runners.shape import RunnerInput, Trouble
from denominator.readers.runners.texts import files_in, modules_in, view

MATCHES_MAX = 2000


def hints(given: RunnerInput, runner: Runner) -> tuple[Trouble, ...]:
    """What the front end printed, for the signs that go with this exit status. `offset` is of the first of each."""
    if not given.text:
        return ()
    text, found = view(given.text), []
    for sign in runner.signs:
        if given.exit not in sign.exits:
            continue
        matches = list(re.finditer(sign.pattern, text))[:MATCHES_MAX]
        if matches:
            said = "\n".join(match[0] for match in matches)
            at = len(text[: matches[0].start()].encode())
            found.append(Trouble(kind=sign.kind, text=said, source="text", offset=at))
    return tuple(replace(one, files=files_in(one.text), modules=modules_in(one.text)) for one in found)


def worker_said(given: RunnerInput, runner: Runner) -> Trouble | None:
    """That a process of the runner died, as its front end said beside this status."""
    return next((hint for hint in hints(given, runner) if hint.kind == "worker"), None)


def also(troubles: tuple[Trouble, ...]) -> str:
    """The last line of the first trouble that has one, to put behind a sentence."""
    first = next((_last_line(one.text) for one in troubles if one.text.strip()), "")
    return f"; {first}" if first else ""


def first_line(text: str) -> str:
    """A text's first line, for a sentence."""
    return _printable(text.strip().partition("\n")[0])


def _last_line(text: str) -> str:
    return _printable(text.strip().rpartition("\n")[2])


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else " " for char in text)[:300]
