"""Ids that can be folder names everywhere."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

from denominator.errors import Problem
from denominator.records.packs import Task
from denominator.wire.names import id_problem


def id_problems(tasks: Iterable[Task], pack_id: str) -> list[Problem]:
    """Ids that escape the folder or hold control characters, and ids that are equal but for case or composed letters."""
    own = id_problem(pack_id)
    first = [Problem(f"pack {pack_id!r}", f"unsafe id: {own}", "use letters, digits, dashes")] if own else []
    return [*first, *_problems(tuple(tasks))]


def _problems(tasks: tuple[Task, ...]) -> Iterator[Problem]:
    seen: dict[str, str] = {}
    for task in tasks:
        if why := id_problem(task.id):
            yield Problem(f"task {task.id!r}", f"unsafe id: {why}", "use letters, digits, dashes")
        first = seen.setdefault(_key(task.id), task.id)
        if first is not task.id:
            blind = (
                "where case does not count"
                if first.casefold() == task.id.casefold()
                else "on a disk that composes letters"
            )
            yield Problem(f"task {task.id!r}", f"collides with {first!r} {blind}", "rename one of them")


def _key(id_: str) -> str:
    """What two ids have in common that look the same in a table, or are one name to some disk."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", id_).casefold())
