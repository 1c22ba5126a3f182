"""Controls of a run: an empty patch must fail, the gold patch must pass; measured or taken from the baseline."""

from __future__ import annotations

from denominator.pipeline.grading import grade_order
from denominator.pipeline.world import OpenRun, World
from denominator.ports import Stop
from denominator.records.events import Draft, Json
from denominator.records.packs import Baseline
from denominator.records.words import Control, ControlState, Grade, KilledBy, Phase, Slice, Writer
from denominator.wire.trees import copy_tree

RED_SLICES = (Slice.SOLVABLE, Slice.CANARY, Slice.FLOOR)


def run_controls(world: World, run: OpenRun, baseline: Baseline, stop: Stop) -> None:
    """Write one `run.control` event for each run control that has none yet."""
    shown = {e.payload.get("control") for e in run.journal.events() if e.kind == "run.control"}
    if Control.GOLD_MUST_PASS not in shown:
        gold_from_baseline(run, baseline)
    if Control.EMPTY_PATCH_MUST_FAIL not in shown:
        must_fail_probe(world, run, stop)


def must_fail_probe(world: World, run: OpenRun, stop: Stop) -> None:
    """Grade an empty patch on the first task that must be red; green means that the tests prove nothing."""
    sealed = next((s for s in run.seal.tasks if s.task.slice in RED_SLICES), None)
    if sealed is None:
        write_control(run, Control.EMPTY_PATCH_MUST_FAIL, "", "none", ControlState.INCONCLUSIVE, "no task must be red")
        return
    task = sealed.task
    place = run.folder.work / "must-fail"
    if place.exists():
        world.sandbox.discard(place)
    place.mkdir(parents=True)
    copy_tree(run.task_folder(task.id) / "repo", place / "tree")
    order = grade_order(run, task, place / "tree", run.task_folder(task.id) / "hidden", 0)
    graded = world.grader.grade(order, world.sandbox, stop)
    world.sandbox.discard(place)
    if graded.ended.killed_by == KilledBy.HARNESS_STOP:
        return
    states = {Grade.RED: ControlState.HELD, Grade.GREEN: ControlState.VIOLATED, Grade.TAMPERED: ControlState.VIOLATED}
    state = states.get(Grade(graded.grade), ControlState.INCONCLUSIVE)
    write_control(
        run, Control.EMPTY_PATCH_MUST_FAIL, task.id, graded.grade, state, f"an empty patch was {graded.grade}"
    )


def gold_from_baseline(run: OpenRun, baseline: Baseline) -> None:
    """The gold patches as the shared baseline saw them."""
    gold = [r for r in baseline.runs if r.on == "gold"]
    bad = sorted({r.task_id for r in gold if r.grade != Grade.GREEN})
    if not gold:
        state, why = ControlState.INCONCLUSIVE, "the baseline graded no gold patch"
    elif bad:
        state, why = ControlState.VIOLATED, f"gold was not green on {', '.join(bad)}"
    else:
        state, why = ControlState.HELD, f"gold was green {len(gold)} of {len(gold)} times in the baseline"
    write_control(run, Control.GOLD_MUST_PASS, ",".join(bad), "", state, why)


def write_control(run: OpenRun, control: Control, task_id: str, grade: str, state: ControlState, why: str) -> None:
    """Append one run control."""
    payload: dict[str, Json] = {
        "control": str(control),
        "task_id": task_id,
        "grade": str(grade),
        "state": str(state),
        "why": why,
    }
    run.journal.append(Draft(kind="run.control", phase=Phase.RUN, writer=Writer.HARNESS, payload=payload))
