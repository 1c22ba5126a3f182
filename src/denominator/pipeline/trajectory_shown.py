"""The trajectories of a task of a run, for reading and for export: ATIF as stored, with the agent's own account and end."""

from __future__ import annotations

from denominator.errors import DenominatorError, InputError
from denominator.pipeline.trajectories import ATIF
from denominator.pipeline.world import OpenRun
from denominator.records.events import Event, Json
from denominator.run.progress import read_progress
from denominator.wire.strict import loads


def task_trajectories(run: OpenRun, task_id: str) -> dict[str, Json]:
    """Every attempt of the task with its trajectory, or why it has none."""
    keys = sorted(key for key in read_progress(run.journal.events()) if key.task_id == task_id)
    if not keys:
        known = ", ".join(sorted({s.task.id for s in run.seal.tasks}))
        raise InputError(f"task {task_id!r} is not in run {run.run_id}", fix=f"one of: {known}")
    told: list[Json] = []
    for key in keys:
        events = list(run.journal.events(key))
        facts = {str(e.payload.get("reader")): e.payload.get("data") for e in events if e.kind == "facts"}
        told.append(
            {
                "repeat": key.repeat,
                "attempt": key.attempt,
                "atif": _document(run, events),
                "own_account": facts.get("own_account"),
                "own_ending": facts.get("own_ending"),
            }
        )
    return {"run_id": run.run_id, "task_id": task_id, "trajectories": run.secrets.covered_json(told)}


def _document(run: OpenRun, events: list[Event]) -> Json:
    """The document of the last incarnation; null where there is none or its blob is damaged."""
    blobs = [event.blob for event in events if event.kind == "output" and event.stream == ATIF and event.blob]
    if not blobs:
        return None
    try:
        found: Json = loads(run.blobs.get(blobs[-1]), blobs[-1])
    except (DenominatorError, OSError):
        return None
    return found
