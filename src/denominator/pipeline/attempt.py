"""One attempt, in order: workspace, agent, patch, apply, grade, close. Intent before each effect, done after it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from denominator.pipeline.agent_phase import run_agent
from denominator.pipeline.applying import apply_stored_patch
from denominator.pipeline.grading import grade_applied
from denominator.pipeline.narration import end_probe
from denominator.pipeline.notes import Notes
from denominator.pipeline.world import OpenRun, World
from denominator.ports import Stop
from denominator.records.keys import AttemptKey
from denominator.records.words import Checkpoint, Phase, StopReason, Writer
from denominator.run.decisions import exhausted, start_after
from denominator.run.progress import PROBE, Progress, moved, read_progress


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One go at one attempt: by which worker slot, first use of it or not, ready since when (monotonic ns)."""

    slot: int
    cold: bool
    ready_ns: int


def run_attempt(world: World, run: OpenRun, key: AttemptKey, turn: Turn, stop: Stop) -> Progress:
    """Bring one attempt to its end, from wherever the journal says it stands. Raises StoppedError when told to stop."""
    before = read_progress(run.journal.events(key))[key]
    if before.closed:
        return before
    state = moved(before, run.place)
    notes = Notes(run, key, state.incarnation + 1, world.clock, world.clock.mono_ns())
    if exhausted(state, run.seal.envelope.budget.incarnations_max):
        detail = f"{state.incarnation} incarnations died"
        notes.end(StopReason.HARNESS, notes.failure("harness_killed", Phase.HARNESS, Writer.HARNESS, detail))
    else:
        waited_ms = (notes.begun_ns - turn.ready_ns) // 1_000_000
        world.failpoints.hit("attempt.started.before")
        left, armed = _left(before, state), world.failpoints.armed
        notes.started(start_after(state), turn.slot, turn.cold, waited_ms, left, armed)
        try:
            _phases(world, run, notes, state, turn, stop)
        except OSError as error:
            if _progress(run, key).open:
                notes.end_by_machine(error)
    _clean(world, run, key)
    return _progress(run, key)


def _phases(world: World, run: OpenRun, notes: Notes, state: Progress, turn: Turn, stop: Stop) -> None:
    """The phases that are still to do; each may end the attempt."""
    if Checkpoint.PATCH_DRAFTED not in state.done:
        run_agent(world, run, notes, turn.slot, stop)
    state = _progress(run, notes.key)
    if state.purpose == PROBE and not state.closed:
        end_probe(run, notes)
    elif not state.closed:
        applied = apply_stored_patch(world, run, notes, state)
        if applied is not None:
            grade_applied(world, run, notes, applied, turn.slot, stop)


def _left(before: Progress, here: Progress) -> str:
    """The place in which a tree was applied that an incarnation here does without: applying again is a reset."""
    gone = Checkpoint.PATCH_APPLIED in before.done and Checkpoint.PATCH_APPLIED not in here.done
    return (before.place or "run folder") if gone else ""


def _progress(run: OpenRun, key: AttemptKey) -> Progress:
    return read_progress(run.journal.events(key))[key]


def _clean(world: World, run: OpenRun, key: AttemptKey) -> None:
    """A closed attempt needs no scratch; what it made is in blobs."""
    folder = run.folder.attempt(key)
    world.failpoints.hit("attempt.closed")
    if folder.exists() and not run.keep:
        discard_scratch(world, folder)
    world.failpoints.hit("attempt.cleaned")


def discard_scratch(world: World, folder: Path) -> None:
    """Remove one attempt's scratch folder, following nothing that an agent may have left."""
    world.sandbox.discard(folder)
