"""Apply the stored patch to a pristine copy, then grade that copy; each effect recognisable by its digest."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from denominator.pipeline.notes import Notes, StoppedError
from denominator.pipeline.world import OpenRun, World
from denominator.ports import Graded, GradeOrder, Stop
from denominator.records.events import Draft, Json
from denominator.records.packs import LockedTask, Task
from denominator.records.trees import Change, Patch
from denominator.records.words import Checkpoint, Grade, KilledBy, Phase, StopReason, Writer
from denominator.run.budgets import grader_limits
from denominator.run.decisions import Apply, apply_step
from denominator.run.paths import is_forbidden, is_outside, kept
from denominator.run.progress import Progress
from denominator.wire.codec import from_json, loads
from denominator.wire.durable import sync_folder
from denominator.wire.trees import ApplyError, apply_patch, patched_tree, read_tree, touched


@dataclass(frozen=True, slots=True)
class Applied:
    """The tree that is graded, its digest, and the patch that made it."""

    tree: Path
    digest: str
    patch: Patch


def apply_stored_patch(world: World, run: OpenRun, notes: Notes, state: Progress) -> Applied | None:
    """Bring the graded tree into being exactly once: apply, or adopt what is there. None: the attempt ended here."""
    task, locked = run.sealed(notes.key.task_id)
    patch = from_json(Patch, loads(run.blobs.get(state.patch_blob)), f"blob {state.patch_blob}")

    def keep(change: Change) -> bool:
        return kept(task, change)

    base_root = run.task_folder(task.id) / "repo"
    expected = patched_tree(read_tree(base_root, trusted=True), patch, keep).digest
    place = run.folder.attempt(notes.key) / "applied"
    found = read_tree(place, trusted=True).digest if place.is_dir() else None
    step = apply_step(state, found, expected)
    if step is Apply.UNKNOWN:
        _unknown_state(notes, locked, expected, found)
    if Checkpoint.PATCH_APPLIED not in state.done:
        notes.intent(Checkpoint.PATCH_APPLIED, Phase.APPLY, locked.base_tree, expected, blob=state.patch_blob)
    if step is Apply.APPLY and not _apply(world, run, notes, base_root, patch, keep, place):
        return None
    if Checkpoint.PATCH_APPLIED not in state.done:
        payload: dict[str, Json] = {"tree": expected, "by": str(step)}
        notes.write(
            notes.draft("applied", Phase.APPLY, Writer.HARNESS, payload),
            notes.done(Checkpoint.PATCH_APPLIED, Phase.APPLY, expected),
        )
        world.failpoints.hit("apply.after_done")
    return Applied(place, expected, patch)


def _apply(world: World, run: OpenRun, notes: Notes, base_root: Path, patch: Patch, keep: object, place: Path) -> bool:
    """Stage, rename, sync; False when the patch does not apply and the attempt has ended."""
    stage = place.with_name(f"stage-{notes.incarnation}")
    stage.parent.mkdir(parents=True, exist_ok=True)
    for old in stage.parent.glob("stage-*"):
        world.sandbox.discard(old)
    try:
        apply_patch(base_root, patch, run.blobs.get, stage, keep if callable(keep) else None)
    except ApplyError as error:
        notes.end(StopReason.APPLY_ERROR, notes.failure("apply_error", Phase.APPLY, Writer.HARNESS, str(error)))
        return False
    world.failpoints.hit("apply.before_rename")
    stage.rename(place)
    world.failpoints.hit("apply.renamed")
    sync_folder(place.parent)
    return True


def _unknown_state(notes: Notes, locked: LockedTask, expected: str, found: str | None) -> NoReturn:
    payload: dict[str, Json] = {
        "checkpoint": str(Checkpoint.PATCH_APPLIED),
        "pre": locked.base_tree,
        "post": expected,
        "have": found or "nothing",
    }
    notes.write(notes.draft("unknown_state", Phase.APPLY, Writer.HARNESS, payload))
    raise UnknownAttemptError(notes, payload)


class UnknownAttemptError(Exception):
    """The disk shows a tree that the journal cannot explain."""

    def __init__(self, notes: Notes, payload: dict[str, Json]) -> None:
        super().__init__(notes.key)
        self.key, self.payload = notes.key, payload


def grade_applied(world: World, run: OpenRun, notes: Notes, applied: Applied, slot: int, stop: Stop) -> None:
    """Grade the applied tree; the grader and the hidden tests are hashed right before use."""
    task, locked = run.sealed(notes.key.task_id)
    hidden = run.task_folder(task.id) / "hidden"
    changed = changed_digests(world, run, hidden, locked)
    if changed:
        _changed(run, notes, changed)
        return
    notes.intent(Checkpoint.TESTS_RUN, Phase.VERIFY, applied.digest, blob="")
    world.failpoints.hit("verify.before")
    graded = world.grader.grade(grade_order(run, task, applied.tree, hidden, slot), world.sandbox, stop)
    world.failpoints.hit("verify.after")
    if graded.ended.killed_by == KilledBy.HARNESS_STOP:
        raise StoppedError
    report_sha = run.blobs.put(graded.report)
    drafts = [
        _graded(notes, graded, report_sha),
        *_grader_output(run, notes, graded),
        notes.done(Checkpoint.TESTS_RUN, Phase.VERIFY, report_sha),
        notes.draft(
            "checkpoint.intent",
            Phase.VERIFY,
            Writer.HARNESS,
            {"pre": report_sha, "post": ""},
            checkpoint=Checkpoint.GRADE_RECORDED,
        ),
        notes.done(Checkpoint.GRADE_RECORDED, Phase.VERIFY, report_sha),
    ]
    if graded.broken:
        drafts.insert(1, notes.failure("grader_error", Phase.VERIFY, Writer.VERIFIER, graded.broken))
    notes.end(stop_reason(task, applied.patch, graded), *drafts)
    world.failpoints.hit("verify.recorded")


def grade_order(run: OpenRun, task: Task, tree: Path, hidden: Path, slot: int) -> GradeOrder:
    """The order for the grader under this run's seal."""
    box = run.seal.envelope.sandbox
    limits = grader_limits(run.seal.envelope, task)
    return GradeOrder(task=task, tree=tree, hidden=hidden, limits=limits, python=box.python, site=box.site, slot=slot)


def stop_reason(task: Task, patch: Patch, graded: Graded) -> StopReason:
    """What ended a graded attempt: a slip outside the allow-list comes before what the tests said."""
    if graded.grade == Grade.NONE:
        return StopReason.HARNESS
    if any(is_outside(task, path) or is_forbidden(task, path) for path in touched(patch)):
        return StopReason.FORBIDDEN_PATH
    if graded.grade == Grade.GREEN:
        return StopReason.PASS
    return StopReason.TESTS_RED if patch.changes else StopReason.NO_PATCH


def changed_digests(world: World, run: OpenRun, hidden: Path, locked: LockedTask) -> list[tuple[str, str, str]]:
    """Sealed digests of what decides that no longer hold: (what, sealed, found)."""
    found_hidden, found_grader = read_tree(hidden, trusted=True).digest, world.grader.digest()
    pairs = [
        (f"hidden tests of {locked.id}", locked.hidden_tree, found_hidden),
        ("the grader", run.seal.grader_sha, found_grader),
    ]
    return [(what, sealed, found) for what, sealed, found in pairs if sealed != found]


def _changed(run: OpenRun, notes: Notes, changed: list[tuple[str, str, str]]) -> None:
    for what, sealed, found in changed:
        payload: dict[str, Json] = {"what": what, "sealed": sealed, "found": found}
        run.journal.append(Draft(kind="run.changed", phase=Phase.RUN, writer=Writer.HARNESS, payload=payload))
    notes.end(StopReason.HARNESS, notes.failure("changed_seal", Phase.VERIFY, Writer.HARNESS, changed[0][0]))


def _graded(notes: Notes, graded: Graded, report_sha: str) -> Draft:
    payload: dict[str, Json] = {
        "grade": graded.grade,
        "why": graded.why,
        "level": graded.level,
        "stage": graded.stage,
        "expected": list(graded.expected),
        "passed": list(graded.passed),
        "failed": list(graded.failed),
        "skipped": list(graded.skipped),
        "missing": list(graded.missing),
        "other": list(graded.other),
        "sentinels_expected": graded.sentinels_expected,
        "sentinels_failed": graded.sentinels_failed,
        "counter_expected": graded.counter_expected,
        "counter_failed": graded.counter_failed,
        "grader_sha": graded.grader_sha,
        "report_sha": report_sha,
        "solution_caused": graded.solution_caused,
        "exit": graded.ended.exit_code,
        "signal": graded.ended.signal,
        "killed_by": graded.ended.killed_by,
        "oom": graded.ended.oom,
        "wall_ms": graded.ended.wall_ns // 1_000_000,
    }
    if graded.grade == Grade.GREEN:
        payload["time_to_first_green_ms"] = notes.elapsed_ms()
    return notes.draft("graded", Phase.VERIFY, Writer.VERIFIER, payload, blob=report_sha)


def _grader_output(run: OpenRun, notes: Notes, graded: Graded) -> list[Draft]:
    streams = {"stdout": graded.ended.stdout, "stderr": graded.ended.stderr}
    return [
        notes.draft("output", Phase.VERIFY, Writer.SANDBOX, {"bytes": len(data)}, stream=name, blob=run.blobs.put(data))
        for name, data in streams.items()
        if data
    ]


__all__ = ["Applied", "UnknownAttemptError", "apply_stored_patch", "grade_applied"]
