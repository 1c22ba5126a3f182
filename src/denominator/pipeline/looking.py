"""Looking at a run without touching it: how far it is, and everything known about one task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from denominator.errors import DenominatorError, InputError
from denominator.pipeline.diffs import readable_diff
from denominator.pipeline.results import unpromised
from denominator.pipeline.soundness import broken_chain
from denominator.pipeline.world import OpenRun
from denominator.records.events import Event, Json
from denominator.records.keys import AttemptKey
from denominator.records.labels import Label
from denominator.run.decisions import what_resume_does
from denominator.run.progress import UNCOUNTED, Progress, read_progress
from denominator.wire.codec import to_json

SHOWN_BYTES = 20_000


def status(run: OpenRun) -> dict[str, Json]:
    """Counts of attempts by state, and what `resume` would do. Says nothing about passes before the gate does."""
    every = read_progress(run.journal.events())
    states = {k: s for k, s in every.items() if s.purpose not in UNCOUNTED}
    plan = what_resume_does(states)
    return {
        "run_id": run.run_id,
        "arm": str(run.seal.arm.label),
        "pack": f"{run.seal.pack_id} {run.seal.pack_version}",
        "seal": run.seal_digest,
        "declared": len(run.seal.plan.draws),
        "promised": len(states),
        "unpromised": unpromised(run),
        "closed": sum(s.closed for s in states.values()),
        "open": sum(s.open for s in states.values()),
        "started_and_open": sum(s.open and s.incarnation > 0 for s in states.values()),
        "aside_open": sum(s.open and s.purpose in UNCOUNTED for s in every.values()),
        "unknown_state": [*(_name(k) for k, s in states.items() if s.unknown_state), *broken_chain(run)],
        "resume_would_start": list(plan["start"]),
        "resume_would_go_on": list(plan["go on"]),
    }


def show_task(run: OpenRun, task_id: str, labels: Iterable[Label]) -> dict[str, Json]:
    """Every attempt of a task: its events, calls, labels, and the texts behind its blobs (cut at 20,000 bytes)."""
    keys = [key for key in read_progress(run.journal.events()) if key.task_id == task_id]
    if not keys:
        known = ", ".join(sorted({s.task.id for s in run.seal.tasks}))
        raise InputError(f"task {task_id!r} is not in run {run.run_id}", fix=f"one of: {known}")
    by_key: dict[AttemptKey, list[Label]] = {}
    for label in labels:
        by_key.setdefault(label.key, []).append(label)
    attempts: list[Json] = [_attempt(run, key, by_key.get(key, [])) for key in sorted(keys)]
    return {"run_id": run.run_id, "task_id": task_id, "seal": run.seal_digest, "attempts": attempts}


def _attempt(run: OpenRun, key: AttemptKey, labels: list[Label]) -> Json:
    events = list(run.journal.events(key))
    calls: list[Json] = [to_json(call) for call in run.journal.calls(key)]
    return {
        "repeat": key.repeat,
        "attempt": key.attempt,
        "events": [_event(e) for e in events],
        "calls": calls,
        "labels": [to_json(label) for label in labels],
        "texts": _texts(run, events),
    }


def _event(event: Event) -> Json:
    shown: dict[str, Json] = {
        "seq": event.seq,
        "at": event.t_wall,
        "phase": event.phase,
        "writer": event.writer,
        "kind": event.kind,
        "payload": dict(event.payload),
    }
    extra = {"checkpoint": event.checkpoint, "stream": event.stream, "blob": event.blob}
    return shown | {name: value for name, value in extra.items() if value}


def _texts(run: OpenRun, events: list[Event]) -> dict[str, Json]:
    """What agents and graders wrote, decoded for reading; the exact bytes are the blobs."""
    texts: dict[str, Json] = {}
    for e in events:
        if e.blob and e.kind in ("output", "patch", "graded"):
            texts[f"{e.phase}.{e.stream or e.kind}"] = _text(run, e.blob)
        if e.blob and e.kind == "patch" and e.key and (diff := _diff(run, e.key.task_id, e.blob)):
            texts[f"{e.phase}.diff"] = diff
    return texts


def _text(run: OpenRun, blob: str) -> str:
    """The start of a blob, or why it cannot be shown: what is left of a damaged run is shown all the same."""
    try:
        data = run.blobs.get(blob)
    except (DenominatorError, OSError) as error:
        return f"(cannot be shown: {error.what if isinstance(error, DenominatorError) else error.strerror})"
    cut = f"\n... {len(data) - SHOWN_BYTES} bytes more in blob {blob}" if len(data) > SHOWN_BYTES else ""
    return data[:SHOWN_BYTES].decode("utf-8", "replace") + cut


def _diff(run: OpenRun, task_id: str, blob: str) -> str:
    try:
        return readable_diff(run, task_id, run.blobs.get(blob))[:SHOWN_BYTES]
    except (DenominatorError, OSError):
        return ""


def endings(states: Iterable[Progress]) -> Counter[str]:
    """How many closed attempts ended for which reason."""
    return Counter(s.stop_reason for s in states if s.closed)


def _name(key: AttemptKey) -> str:
    return f"{key.task_id} repeat {key.repeat} attempt {key.attempt}"
