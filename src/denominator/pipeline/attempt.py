"""One attempt, in order: workspace, agent, patch, apply, grade, close. Intent before each effect, done after it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from denominator.pipeline.agent_phase import run_agent
from denominator.pipeline.grading import apply_stored_patch, grade_applied
from denominator.pipeline.notes import Notes, StoppedError
from denominator.pipeline.world import OpenRun, World
from denominator.ports import Stop
from denominator.records.keys import AttemptKey
from denominator.records.words import Checkpoint, Phase, StopReason, Writer
from denominator.run.decisions import exhausted, start_after
from denominator.run.progress import Progress, read_progress


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One go at one attempt: by which worker slot, first use of it or not, ready since when (monotonic ns)."""

    slot: int
    cold: bool
    ready_ns: int


def run_attempt(world: World, run: OpenRun, key: AttemptKey, turn: Turn, stop: Stop) -> Progress:
    """Bring one attempt to its end, from wherever the journal says it stands. Raises StoppedError when told to stop."""
    state = read_progress(run.journal.events(key))[key]
    if state.closed:
        return state
    notes = Notes(run, key, state.incarnation + 1)
    if exhausted(state, run.seal.envelope.budget.incarnations_max):
        notes.failure("harness_killed", Phase.HARNESS, Writer.HARNESS, f"{state.incarnation} incarnations died")
        notes.close(StopReason.HARNESS, None)
        return _progress(run, key)
    begun = world.clock.mono_ns()
    notes.started(start_after(state), turn.slot, turn.cold, (begun - turn.ready_ns) // 1_000_000)
    try:
        stop_reason = _phases(world, run, notes, state, turn, stop, begun)
    except OSError as error:
        stop_reason = notes.machine_failure(error)
    notes.close(stop_reason, (world.clock.mono_ns() - begun) // 1_000_000)
    _clean(world, run, key)
    return _progress(run, key)


def _phases(
    world: World, run: OpenRun, notes: Notes, state: Progress, turn: Turn, stop: Stop, begun: int
) -> StopReason:
    """The phases that are still to do; returns what ended the attempt."""
    if Checkpoint.PATCH_DRAFTED not in state.done:
        ended = run_agent(world, run, notes, turn.slot, stop)
        if ended is not None:
            return ended
    state = _progress(run, notes.key)
    if state.after_cap and run.seal.envelope.policy.on_timeout != "grade":
        return StopReason.TIMEOUT
    applied = apply_stored_patch(world, run, notes, state)
    if isinstance(applied, StopReason):
        return applied
    return grade_applied(world, run, notes, applied, turn.slot, stop, begun)


def _progress(run: OpenRun, key: AttemptKey) -> Progress:
    return read_progress(run.journal.events(key))[key]


def _clean(world: World, run: OpenRun, key: AttemptKey) -> None:
    """A closed attempt needs no scratch; what it made is in blobs."""
    folder = run.folder.attempt(key)
    if folder.exists() and not run.keep:
        discard_scratch(world, folder)


def discard_scratch(world: World, folder: Path) -> None:
    """Remove one attempt's scratch folder, following nothing that an agent may have left."""
    world.sandbox.discard(folder)


__all__ = ["StoppedError", "Turn", "discard_scratch", "run_attempt"]
