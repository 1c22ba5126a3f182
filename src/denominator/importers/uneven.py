"""`draws`: how often each task was scheduled, where that is not the same for all of them."""

from __future__ import annotations

from collections.abc import Mapping

from denominator.importers import values
from denominator.importers.stated import Stated
from denominator.importers.values import BadValueError, kind_of

KEYS = ("dataset.draws", "draws")


def read_draws(stated: Stated, where: str, flat: Mapping[str, object]) -> None:
    """A table of tasks and their number of draws; it also names the tasks. Contradictions block."""
    for key in KEYS:
        found = flat.get(key)
        if found is None:
            continue
        if not isinstance(found, dict):
            stated.say(where, key, f"{kind_of(found)} is not a table of tasks and numbers of draws")
            continue
        for task, number in found.items():
            try:
                stated.draws[task] = values.ordinal(number)
            except BadValueError as error:
                stated.say(where, f"{key}.{task}", str(error))
    if not stated.draws:
        return
    if stated.task_ids is None:
        stated.task_ids, stated.ids_file = tuple(stated.draws), where
    elif odd := sorted(stated.draws.keys() ^ set(stated.task_ids)):
        what = f"draws and task_ids name different tasks: {', '.join(odd[:10])}"
        stated.say(where, "draws", what, "manifest_conflict")
