"""Controls of a run: an empty patch must fail, the gold patch must pass; measured or taken from the baseline."""

from __future__ import annotations

from denominator.pipeline.grading import grade_order
from denominator.pipeline.sealed import changed_drafts, changed_graders, changed_inputs
from denominator.pipeline.world import OpenRun, World
from denominator.ports import Graded, Stop
from denominator.records.events import Draft, Json
from denominator.records.packs import Baseline, Task
from denominator.records.words import Control, ControlState, Grade, KilledBy, Phase, Slice, Writer
from denominator.wire.trees import copy_tree

RED_SLICES = (Slice.SOLVABLE, Slice.CANARY, Slice.FLOOR)
STATES = {Grade.RED: ControlState.HELD, Grade.GREEN: ControlState.VIOLATED, Grade.TAMPERED: ControlState.VIOLATED}


def run_controls(world: World, run: OpenRun, baseline: Baseline, stop: Stop) -> None:
    """Write one `run.control` event for each run control that has none yet."""
    shown = {e.payload.get("control") for e in run.journal.standing().of_run if e.kind == "run.control"}
    if Control.GOLD_MUST_PASS not in shown:
        gold_from_baseline(world, run, baseline)
    if Control.EMPTY_PATCH_MUST_FAIL not in shown:
        must_fail_probe(world, run, baseline, stop)


def must_fail_probe(world: World, run: OpenRun, baseline: Baseline, stop: Stop) -> None:
    """Grade an empty patch on the first task that must be red; green means that the tests prove nothing.

    What the baseline could not grade without a patch leaves the control open: nobody knows that those tests can fail.
    """
    sealed = next((s for s in run.seal.tasks if s.task.slice in RED_SLICES), None)
    if sealed is None:
        write_control(
            world, run, Control.EMPTY_PATCH_MUST_FAIL, "", "none", ControlState.INCONCLUSIVE, "no task must be red"
        )
        return
    changed = [*changed_inputs(run, sealed.locked), *changed_graders(world, run, sealed.locked)]
    if changed:
        run.journal.append(*changed_drafts(changed))
    graded = _grade_base(world, run, sealed.task, stop)
    if graded.ended.killed_by == KilledBy.HARNESS_STOP:
        return
    state = STATES.get(Grade(graded.grade), ControlState.INCONCLUSIVE)
    why = f"an empty patch was {graded.grade}" + (f": {graded.why}" if graded.grade == Grade.NONE else "")
    unknown = sorted({r.task_id for r in baseline.runs if r.on == "base" and r.grade == Grade.NONE})
    if unknown and state == ControlState.HELD:
        state, why = ControlState.INCONCLUSIVE, f"{why}; no verdict without a patch on {', '.join(unknown)}"
    write_control(world, run, Control.EMPTY_PATCH_MUST_FAIL, sealed.task.id, graded.grade, state, why)


def _grade_base(world: World, run: OpenRun, task: Task, stop: Stop) -> Graded:
    """The snapshot as it is, graded like any attempt."""
    place = run.folder.work / "must-fail"
    if place.exists():
        world.sandbox.discard(place)
    place.mkdir(parents=True)
    copy_tree(run.task_folder(task.id) / "repo", place / "tree")
    try:
        return world.grader.grade(grade_order(run, task, place / "tree", 0), world.sandbox, stop)
    finally:
        world.sandbox.discard(place)


def gold_from_baseline(world: World, run: OpenRun, baseline: Baseline) -> None:
    """Write the control of the gold patches as the shared baseline saw them."""
    state, why, tasks = gold_state(baseline)
    write_control(world, run, Control.GOLD_MUST_PASS, ",".join(tasks), "", state, why)


def gold_state(baseline: Baseline) -> tuple[ControlState, str, list[str]]:
    """Was gold green each time? The state, why, and the tasks that decide it.

    A task that showed both results is FLAKY_TEST and censored by that name, so it neither proves nor breaks the grader.
    A grading without a verdict says nothing of the gold patch: it leaves the control open.
    """
    gold = [r for r in baseline.runs if r.on == "gold" and r.task_id not in baseline.flaky]
    red = sorted({r.task_id for r in gold if r.grade in (Grade.RED, Grade.TAMPERED)})
    none = sorted({r.task_id for r in gold if r.grade == Grade.NONE} - set(red))
    if red:
        return ControlState.VIOLATED, _not_green(red, baseline), red
    if none:
        detail = next((r.detail for r in gold if r.task_id == none[0] and r.grade == Grade.NONE and r.detail), "")
        why = f"no verdict on gold of {', '.join(none)}" + (detail and f": {detail}")
        return ControlState.INCONCLUSIVE, why, none
    flaky = f"; not counted, both results seen: {', '.join(baseline.flaky)}" if baseline.flaky else ""
    if not gold:
        return ControlState.INCONCLUSIVE, f"the baseline has no gold patch with one result{flaky}", []
    return ControlState.HELD, f"gold was green {len(gold)} of {len(gold)} times in the baseline{flaky}", []


def _not_green(red: list[str], baseline: Baseline) -> str:
    expired = [task for task in red if task in baseline.expired]
    others = [task for task in red if task not in baseline.expired]
    said = [f"gold was not green on {', '.join(others)}"] if others else []
    said += [f"pack_expired: gold was green at the lock and is red now on {', '.join(expired)}"] if expired else []
    return "; ".join(said)


def write_control(
    world: World, run: OpenRun, control: Control, task_id: str, grade: str, state: ControlState, why: str
) -> None:
    """Append one run control."""
    payload: dict[str, Json] = {
        "control": str(control),
        "task_id": task_id,
        "grade": str(grade),
        "state": str(state),
        "why": why,
    }
    world.failpoints.hit("control.before")
    run.journal.append(Draft(kind="run.control", phase=Phase.RUN, writer=Writer.HARNESS, payload=payload))
