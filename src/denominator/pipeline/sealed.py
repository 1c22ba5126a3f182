"""Does what was sealed still hold? Asked right before each use; what does not hold is written down, and no number is printed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from denominator.errors import InputError
from denominator.packs.digests import file_sha256, lines_digest
from denominator.packs.layout import TASKS
from denominator.packs.listing import checked_files
from denominator.pipeline.notes import Notes
from denominator.pipeline.world import OpenRun, World
from denominator.records.events import Draft, Json
from denominator.records.packs import LockedFile, LockedTask
from denominator.records.words import Phase, StopReason, Writer
from denominator.wire.names import safe_name
from denominator.wire.trees import EMPTY_TREE, read_tree


@dataclass(frozen=True, slots=True)
class Changed:
    """A sealed digest that no longer holds."""

    what: str
    sealed: str
    found: str


def changed_inputs(run: OpenRun, locked: LockedTask) -> list[Changed]:
    """What an agent is about to get: the repository with its modes, and every file of the task (prompt and spec too)."""
    folder = run.task_folder(locked.id)
    return _differing(
        Changed(f"the repository of {locked.id}", locked.base_tree, tree_digest_of(folder / "repo")),
        Changed(f"the files of {locked.id}", locked.digest, task_digest(folder, locked.id)),
    )


def changed_graders(world: World, run: OpenRun, locked: LockedTask) -> list[Changed]:
    """What is about to grade: the hidden tests, and every file of the grader that decides."""
    place = run.task_folder(locked.id) / "hidden"
    hidden = tree_digest_of(place) if place.exists() else EMPTY_TREE
    return _differing(
        Changed(f"the hidden tests of {locked.id}", locked.hidden_tree, hidden),
        Changed("the grader", run.seal.grader_sha, world.grader.digest()),
    )


def end_changed(notes: Notes, phase: Phase, changed: list[Changed]) -> None:
    """End an attempt that what was sealed no longer stands behind."""
    failure = notes.failure("changed_seal", phase, Writer.HARNESS, "; ".join(c.what for c in changed))
    notes.end(StopReason.HARNESS, *changed_drafts(changed), failure)


def changed_drafts(changed: list[Changed]) -> list[Draft]:
    """The run's own events about it."""
    return [
        Draft(kind="run.changed", phase=Phase.RUN, writer=Writer.HARNESS, payload=_payload(change))
        for change in changed
    ]


def _payload(change: Changed) -> dict[str, Json]:
    return {"what": change.what, "sealed": change.sealed, "found": change.found}


def tree_digest_of(folder: Path) -> str:
    """The digest of a tree of ours, or why it has none."""
    try:
        tree = read_tree(folder, trusted=True)
    except InputError as error:
        return error.what
    return f"{tree.digest} and {tree.refused[0].path!r}, which cannot be read" if tree.refused else tree.digest


def task_digest(folder: Path, task_id: str) -> str:
    """The digest of all files of a task as its lock names it, or why it has none."""
    prefix = f"{TASKS}/{safe_name(task_id)}/"
    try:
        files = [(file.path, file_sha256(folder / file.path)) for file in checked_files(folder)]
    except (InputError, OSError) as error:
        return error.what if isinstance(error, InputError) else str(error)
    return lines_digest(LockedFile(path=prefix + path, sha256=sha) for path, sha in files)


def _differing(*pairs: Changed) -> list[Changed]:
    return [pair for pair in pairs if pair.sealed != pair.found]
