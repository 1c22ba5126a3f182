"""What `resume` does with a run, said before it starts: attempt by attempt, from the journal and the trees on disk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from denominator.errors import DenominatorError
from denominator.pipeline.applying import effect_of, found_step
from denominator.pipeline.halting import is_capped
from denominator.pipeline.results import is_scratch
from denominator.pipeline.soundness import require_sound
from denominator.pipeline.world import OpenRun
from denominator.records.events import Json
from denominator.records.keys import AttemptKey
from denominator.records.words import Checkpoint
from denominator.run.decisions import Apply, due_retries
from denominator.run.progress import Progress, moved, read_progress
from denominator.run.resuming import Does, Step, steps_of

CAPPED = "the cap of the run is reached"
SHOWN = 8


def resume_plan(run: OpenRun) -> dict[str, Json]:
    """Counts by what is done, and every attempt with its step; touches nothing. Raises what `resume` would refuse with.

    Says nothing about passes: an ended attempt is `finished`, however it ended.
    """
    require_sound(run)
    states = _states(run)
    steps = [
        _with_tree(run, states, step) for step in steps_of(states, run.seal, _unpromised(run, states), _capped(run))
    ]
    counts = Counter(str(step.does) for step in steps)
    attempts: list[Json] = [_told(step) for step in steps]
    return {"run_id": run.run_id, "counts": {word: counts[word] for word in Does}, "attempts": attempts}


def owed(run: OpenRun) -> int:
    """Retries that the sealed policy promises and that no process has promised yet."""
    return 0 if run.seal.envelope.budget.attempts == 1 else len(due_retries(_states(run), run.seal))


def summary(plan: Mapping[str, Json]) -> Iterator[str]:
    """A line on what stays, and one for each kind of step with its first attempts."""
    groups = _grouped(plan)
    yield _ended(groups)
    for word, lines in groups.items():
        shown = f": {', '.join(lines[:SHOWN])}{' ...' if len(lines) > SHOWN else ''}"
        if word != Does.FINISHED:
            yield f"{word} {len(lines)}{shown}"


def in_full(plan: Mapping[str, Json]) -> Iterator[str]:
    """Every attempt in a line, below its kind of step."""
    groups = _grouped(plan)
    yield _ended(groups)
    for word, lines in groups.items():
        yield f"{word} {len(lines)}"
        yield from (f"  {line}" for line in lines)


def _ended(groups: Mapping[str, list[str]]) -> str:
    finished = len(groups.get(Does.FINISHED, ()))
    left = sum(len(lines) for word, lines in groups.items() if word not in (Does.FINISHED, Does.NOT_ALLOWED))
    return f"{finished} of {finished + left} attempts have ended and stay as they are"


def _grouped(plan: Mapping[str, Json]) -> dict[str, list[str]]:
    attempts = plan["attempts"]
    assert isinstance(attempts, list)
    found: dict[str, list[str]] = {}
    for one in attempts:
        assert isinstance(one, dict)
        more = [f"after {one['after']}" if one["after"] else "", f"because of {one['cause']}" if one["cause"] else ""]
        name = " ".join(filter(None, (f"{one['task_id']} r{one['repeat']} a{one['attempt']}", *more)))
        found.setdefault(str(one["does"]), []).append(f"{name}: {one['why']}" if one["why"] else name)
    return {word: found[word] for word in Does if word in found}


def _states(run: OpenRun) -> dict[AttemptKey, Progress]:
    return {key: moved(state, run.place) for key, state in read_progress(run.journal.events()).items()}


def _unpromised(run: OpenRun, states: Mapping[AttemptKey, Progress]) -> list[AttemptKey]:
    """Draws that no start of the run has promised; a scratch run promises a part of them and no more."""
    promised = {key.draw for key in states}
    if promised and is_scratch(run.run_id):
        return []
    draws = [declared.draw for declared in run.seal.plan.draws if declared.draw not in promised]
    return [AttemptKey(run.run_id, draw.task_id, draw.repeat, 1) for draw in draws]


def _capped(run: OpenRun) -> str:
    return CAPPED if is_capped(run) else ""


def _with_tree(run: OpenRun, states: Mapping[AttemptKey, Progress], step: Step) -> Step:
    """The step, with what the tree on disk makes of it."""
    if step.does is not Does.GO_ON:
        return step
    state = states[step.key]
    try:
        effect = effect_of(run, state)
        does, found = found_step(effect, state)
    except (DenominatorError, OSError) as error:
        return replace(step, does=Does.STOP, why=f"its patch cannot be read: {error}")
    if does is Apply.UNKNOWN:
        why = f"unknown state: {effect.place} is {found or 'not there'}, the patch makes {effect.expected}"
        return replace(step, does=Does.STOP, why=why)
    if Checkpoint.PATCH_APPLIED in state.done:
        return replace(step, why="grade the tree that was applied")
    return replace(step, why="adopt the tree that is in place" if does is Apply.ADOPT else "apply the stored patch")


def _told(step: Step) -> dict[str, Json]:
    return {
        "task_id": step.key.task_id,
        "repeat": step.key.repeat,
        "attempt": step.key.attempt,
        "does": str(step.does),
        "after": step.after,
        "cause": step.cause,
        "why": step.why,
    }
