"""Links that an agent left in the place of files: where they lead, without following one."""

from __future__ import annotations

import posixpath
from pathlib import Path

from denominator.records.packs import Task
from denominator.records.trees import Patch
from denominator.run.paths import is_forbidden, is_outside

INSIDE = "/work"
"""What agents see as the root of the tree."""


def link_targets(work: Path, patch: Patch) -> dict[str, str]:
    """Refused path -> where its link leads: relative to the tree, "" for a place outside it. Nothing agents run is alive."""
    found = {}
    for path in (note.rpartition(": ")[0] for note in patch.refused):
        try:
            found[path] = _inside(path, str((work / path).readlink()))
        except OSError:
            continue
    return found


def _inside(path: str, target: str) -> str:
    place = posixpath.normpath(posixpath.join(INSIDE, posixpath.dirname(path), target))
    return place.removeprefix(f"{INSIDE}/") if place.startswith(f"{INSIDE}/") else ""


def leads_outside(task: Task, target: str) -> bool:
    """Does a link lead to what the task does not allow? An allowed place is no licence to reach through it."""
    return not target or is_outside(task, target) or is_forbidden(task, target)
