"""Each change of a patch that is one of tests, of a runner's settings, or of what starts by itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from denominator.readers.meddling.names import is_of_tests, is_settings, is_startup
from denominator.readers.meddling.sections import PARTS, WORD, part_of
from denominator.records.trees import Patch

KINDS = ("tests", "runner", "startup")
"""Words of a row's `tampering`: an existing test, what runs tests, what runs before anybody asks for it."""
MOST = 50
SCRIPT = re.compile(r"(?:.*[/_-])?(?:tests?|checks?|verify|grade|eval|ci)(?:[_-][\w-]*)?(?:\.(?:sh|bash|py|js))?")
"""Names under which scripts run tests; a command also names the solution, which is no script of this kind."""
Bytes = Callable[[str], bytes | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """What a patch is held against: paths of the base, bytes before and after (None: there are none), the task's command.

    `part_of_task` are paths that the task is about (its allow-list names the very file, or the reference patch changes it).
    """

    base: Collection[str]
    before: Bytes
    after: Bytes
    command: str = ""
    part_of_task: Collection[str] = ()


def meddled_with(patch: Patch, sides: Sides) -> tuple[str, ...]:
    """`kind: op path` of each such change, in the order of paths, 50 at most; `op` of what was not taken over is `put`.

    A new test is none: whoever adds a test changes no verdict. A test that was moved away, emptied, closed or replaced is one.
    """
    return tuple(dict.fromkeys(_each(patch, sides)))[:MOST]


def _each(patch: Patch, sides: Sides) -> Iterator[str]:
    changed = [(one.path, one.op) for one in patch.changes]
    for path, op in sorted((*changed, *((note.rpartition(": ")[0], "put") for note in patch.refused))):
        if path not in sides.part_of_task and (kind := _kind(path, op, sides)):
            yield f"{kind}: {op} {path}"


def _kind(path: str, op: str, sides: Sides) -> str:
    if is_startup(path):
        return "startup"
    if is_settings(path) or _is_called(path, sides.command):
        return "runner"
    if path.rpartition("/")[2] in PARTS and (op == "put" or _part_differs(path, op, sides)):
        return "runner"
    return "tests" if path in sides.base and is_of_tests(path) else ""


def _is_called(path: str, command: str) -> bool:
    """Does the task's command name this file, as a script that runs its tests?"""
    return SCRIPT.fullmatch(path) is not None and path in {one.removeprefix("./") for one in WORD.findall(command)}


def _part_differs(path: str, op: str, sides: Sides) -> bool:
    if op == "chmod":
        return False
    old = part_of(path, sides.before(path), sides.command)
    new = part_of(path, None if op == "delete" else sides.after(path), sides.command)
    return new is None or old != new
