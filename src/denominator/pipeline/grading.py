"""Grade the applied tree in a fresh sandbox; the hidden tests and the grader are hashed right before use."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from denominator.pipeline.applying import Applied
from denominator.pipeline.authors import author_facts
from denominator.pipeline.evidence import printed
from denominator.pipeline.forgery import printed_facts
from denominator.pipeline.images import in_image, of_task
from denominator.pipeline.notes import Notes, StoppedError
from denominator.pipeline.runner_ending import runner_facts
from denominator.pipeline.sealed import changed_graders, end_changed
from denominator.pipeline.stops import Watched
from denominator.pipeline.unbuilt import unbuilt_facts
from denominator.pipeline.world import OpenRun, World
from denominator.ports import Graded, GradeOrder, Stop
from denominator.records.events import Draft, Json
from denominator.records.packs import Task
from denominator.records.trees import Patch
from denominator.records.words import Checkpoint, Grade, KilledBy, Phase, StopReason, Writer
from denominator.run.budgets import grader_limits
from denominator.run.paths import is_forbidden, is_outside
from denominator.wire.trees import touched


def grade_applied(world: World, run: OpenRun, notes: Notes, applied: Applied, slot: int, stop: Stop) -> None:
    """Grade, and end the attempt with what the grader saw."""
    task, locked = run.sealed(notes.key.task_id)
    changed = changed_graders(world, run, locked)
    if changed:
        end_changed(notes, Phase.VERIFY, changed)
        return
    world.failpoints.hit("verify.intent.before")
    notes.intent(Checkpoint.TESTS_RUN, Phase.VERIFY, applied.digest, blob="")
    world.failpoints.hit("verify.before")
    watched = Watched(stop, lambda: world.failpoints.hit("verify.spawned"))
    sandbox = in_image(world.sandbox, of_task(task, locked))
    graded = world.grader.grade(grade_order(run, task, applied.tree, slot), sandbox, watched)
    world.failpoints.hit("verify.done")
    if graded.ended.killed_by == KilledBy.HARNESS_STOP:
        raise StoppedError
    report_sha = run.blobs.put(graded.report)
    repo = run.task_folder(task.id) / "repo"
    said = heard(
        lambda: runner_facts(task, applied.patch, graded),
        lambda: unbuilt_facts(run, task, applied.patch, graded),
        lambda: author_facts(task, locked, repo, applied.patch, graded),
        lambda: printed_facts(graded),
    )
    drafts = [
        _graded(notes, graded, report_sha, said),
        *notes.outputs(Phase.VERIFY, printed(graded.ended, run.blobs)),
        notes.done(Checkpoint.TESTS_RUN, Phase.VERIFY, report_sha),
        notes.intended(Checkpoint.GRADE_RECORDED, Phase.VERIFY, report_sha),
        notes.done(Checkpoint.GRADE_RECORDED, Phase.VERIFY, report_sha),
    ]
    if graded.broken:
        drafts.insert(1, notes.failure("grader_error", Phase.VERIFY, Writer.VERIFIER, graded.broken))
    world.failpoints.hit("verdict.before")
    notes.end(stop_reason(task, applied.patch, graded), *drafts)


def heard(*readers: Callable[[], dict[str, Json]]) -> dict[str, Json]:
    """What readers make of a grading, later ones before earlier. One that breaks says so and costs no grade."""
    said: dict[str, Json] = {}
    for read in readers:
        try:
            said |= read()
        except OSError:
            raise
        except Exception as error:
            said["runner_why"] = f"a reader failed: {type(error).__name__}: {error}"[:500]
    return said


def grade_order(run: OpenRun, task: Task, tree: Path, slot: int) -> GradeOrder:
    """The order for the grader under this run's seal."""
    hidden = run.task_folder(task.id) / "hidden"
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
    return StopReason.TESTS_RED if patch.changes or patch.refused else StopReason.NO_PATCH


def _graded(notes: Notes, graded: Graded, report_sha: str, said: dict[str, Json]) -> Draft:
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
        **said,
    }
    if graded.grade == Grade.GREEN:
        payload["time_to_first_green_ms"] = notes.elapsed_ms()
    return notes.draft("graded", Phase.VERIFY, Writer.VERIFIER, payload, blob=report_sha)
