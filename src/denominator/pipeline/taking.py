"""The patch that an agent left: the difference of two trees, without what merely ran or was built beside it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from denominator.pipeline.links import link_targets
from denominator.pipeline.world import OpenRun
from denominator.readers.meddling import is_telling
from denominator.records.packs import Task
from denominator.records.trees import Change, Patch, Tree
from denominator.run.budgets import agent_limits
from denominator.run.paths import is_forbidden, is_litter, is_outside
from denominator.wire.ignored import NAME, Ignores
from denominator.wire.trees import TreeLimits, diff_trees, read_file, read_tree

__all__ = ["Taken", "ignores_of", "take"]

IGNORE_FILE_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Taken:
    """The patch, the bytes it names by digest, and the paths that the base had.

    `aside` is what the base's own `.gitignore` files name and no allow-list does: path to bytes.
    """

    patch: Patch
    contents: Mapping[str, bytes]
    base_paths: Collection[str]
    links: Mapping[str, str] = field(default_factory=dict)
    aside: Mapping[str, bytes] = field(default_factory=dict)


def take(run: OpenRun, task: Task, work: Path) -> Taken:
    """The difference between the sealed tree and what lies in `work`."""
    limits = TreeLimits(total_bytes=agent_limits(run.seal.envelope).disk_bytes)
    folder = run.task_folder(task.id) / "repo"
    base = read_tree(folder, trusted=True)
    patch, contents = diff_trees(base, work, read_tree(work, limits), limits)
    paths = base.by_path().keys()
    ignores = ignores_of(folder, base)
    changes = [change for change in patch.changes if not is_litter(change.path)]
    aside = [change for change in changes if _was_built(task, change, ignores)]
    names = {change.path for change in aside}
    changes = [change for change in changes if change.path not in names]
    refused = tuple(note for note in patch.refused if not is_litter(note.rpartition(": ")[0]))
    wanted = {change.blob for change in changes}
    kept = {sha: data for sha, data in contents.items() if sha in wanted}
    made = replace(patch, changes=tuple(changes), refused=refused)
    built = {change.path: contents[change.blob] for change in aside}
    return Taken(made, kept, paths, link_targets(work, made), built)


def ignores_of(folder: Path, base: Tree) -> Ignores:
    """The base's own files: what an agent writes into one of its own says nothing. As in git, a link says nothing either."""
    own = [
        one.path
        for one in base.entries
        if one.path.rpartition("/")[2] == NAME and one.kind == "file" and one.size <= IGNORE_FILE_BYTES
    ]
    return Ignores({path: read_file(folder, path).decode("utf-8", "replace") for path in own})


def _was_built(task: Task, change: Change, ignores: Ignores) -> bool:
    """A new file that the repository does not keep: no part of a change, unless the task speaks of it or it meddles by its name."""
    if (change.op, change.kind, change.renamed_from) != ("add", "file", "") or not is_outside(task, change.path):
        return False
    return not (is_forbidden(task, change.path) or is_telling(change.path)) and ignores.of(change.path) is not None
