"""Apply the stored patch to a pristine copy, exactly once: recognisable by its digest, adopted when it is there."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from denominator.pipeline.notes import Notes
from denominator.pipeline.sealed import Changed, end_changed, tree_digest_of
from denominator.pipeline.world import OpenRun, World
from denominator.records.events import Json
from denominator.records.packs import LockedTask
from denominator.records.trees import Patch
from denominator.records.words import Checkpoint, Phase, StopReason, Writer
from denominator.run.decisions import Apply, apply_step
from denominator.run.paths import kept
from denominator.run.progress import Progress
from denominator.wire.codec import from_json, loads
from denominator.wire.durable import sync_folder
from denominator.wire.trees import ApplyError, Keep, apply_patch, patched_tree, read_tree


@dataclass(frozen=True, slots=True)
class Applied:
    """The tree that is graded, its digest, and the patch that made it."""

    tree: Path
    digest: str
    patch: Patch


@dataclass(frozen=True, slots=True)
class Effect:
    """One application: of which patch to which base, where, and the digest that it must leave."""

    base: Path
    patch: Patch
    keep: Keep
    place: Path
    expected: str


APPLIED = "applied"
"""The name of the graded tree in an attempt's scratch folder."""


class UnknownAttemptError(Exception):
    """The disk shows a tree that the journal cannot explain."""

    def __init__(self, notes: Notes, payload: dict[str, Json]) -> None:
        super().__init__(notes.key)
        self.key, self.payload = notes.key, payload


def apply_stored_patch(world: World, run: OpenRun, notes: Notes, state: Progress) -> Applied | None:
    """Bring the graded tree into being exactly once: apply, or adopt what is there. None: the attempt ended here."""
    _, locked = run.sealed(notes.key.task_id)
    base = run.task_folder(locked.id) / "repo"
    have = tree_digest_of(base)
    if have != locked.base_tree:
        changed = Changed(f"the repository of {locked.id}", locked.base_tree, have)
        end_changed(notes, Phase.APPLY, [changed])
        return None
    effect = effect_of(run, state)
    step, found = found_step(effect, state)
    if step is Apply.UNKNOWN:
        _unknown_state(notes, locked, effect.expected, found)
    done = Checkpoint.PATCH_APPLIED in state.done
    if not done:
        world.failpoints.hit("patch.intent.before")
        notes.intent(Checkpoint.PATCH_APPLIED, Phase.APPLY, locked.base_tree, effect.expected, blob=state.patch_blob)
    if step is Apply.APPLY and not _apply(world, run, notes, effect):
        return None
    if not done:
        _done(world, notes, effect, step)
    return Applied(effect.place, effect.expected, effect.patch)


def effect_of(run: OpenRun, state: Progress) -> Effect:
    """What applying the attempt's stored patch means. Raises InputError when the blob or the snapshot cannot be read."""
    task, locked = run.sealed(state.key.task_id)
    base = run.task_folder(locked.id) / "repo"
    patch = from_json(Patch, loads(run.blobs.get(state.patch_blob)), f"blob {state.patch_blob}")
    expected = patched_tree(read_tree(base, trusted=True), patch, lambda change: kept(task, change)).digest
    place = run.folder.attempt(state.key) / APPLIED
    return Effect(base, patch, lambda change: kept(task, change), place, expected)


def found_step(effect: Effect, state: Progress) -> tuple[Apply, str | None]:
    """What is to be done about the tree on disk, and its digest (None: there is none). Touches nothing."""
    found = _found(effect.place)
    return apply_step(state, found, effect.expected), found


def _found(place: Path) -> str | None:
    """The digest of the tree that has the name; what has it and is no folder of ours was put there by somebody."""
    if place.is_dir() and not place.is_symlink():
        return tree_digest_of(place)
    return "no folder" if os.path.lexists(place) else None


def _apply(world: World, run: OpenRun, notes: Notes, effect: Effect) -> bool:
    """Stage and rename; False when the patch does not apply and the attempt has ended."""
    stage = effect.place.with_name(f"stage-{notes.incarnation}")
    stage.parent.mkdir(parents=True, exist_ok=True)
    for old in stage.parent.glob("stage-*"):
        world.sandbox.discard(old)
    try:
        apply_patch(
            effect.base,
            effect.patch,
            run.blobs.get,
            stage,
            effect.keep,
            written=lambda: world.failpoints.hit("stage.written"),
        )
    except ApplyError as error:
        if isinstance(error.__context__, OSError) and Notes.is_full(error.__context__):
            raise error.__context__ from None
        notes.end(StopReason.APPLY_ERROR, notes.failure("apply_error", Phase.APPLY, Writer.HARNESS, str(error)))
        return False
    world.failpoints.hit("apply.before_rename")
    stage.rename(effect.place)
    world.failpoints.hit("apply.renamed")
    return True


def _done(world: World, notes: Notes, effect: Effect, step: Apply) -> None:
    """The rename is made durable before it is called done, an adopted one too: its maker may have died in between."""
    for folder in notes.run.folder.above(notes.key):
        sync_folder(folder)
    payload: dict[str, Json] = {"tree": effect.expected, "by": str(step)}
    world.failpoints.hit("apply.dir_synced")
    notes.write(
        notes.draft("applied", Phase.APPLY, Writer.HARNESS, payload),
        notes.done(Checkpoint.PATCH_APPLIED, Phase.APPLY, effect.expected),
    )


def _unknown_state(notes: Notes, locked: LockedTask, expected: str, found: str | None) -> NoReturn:
    payload: dict[str, Json] = {
        "checkpoint": str(Checkpoint.PATCH_APPLIED),
        "pre": locked.base_tree,
        "post": expected,
        "have": found or "nothing",
    }
    notes.write(notes.draft("unknown_state", Phase.APPLY, Writer.HARNESS, payload))
    raise UnknownAttemptError(notes, payload)
