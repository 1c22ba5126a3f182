"""Looking at a run without touching it: how far it is, and everything known about one task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from denominator.errors import DenominatorError, InputError
from denominator.pipeline.diffs import readable_diff
from denominator.pipeline.results import unpromised
from denominator.pipeline.world import OpenRun
from denominator.records.events import Event, Json
from denominator.records.keys import AttemptKey
from denominator.records.labels import Label
from denominator.records.standing import Standing
from denominator.run.progress import UNCOUNTED, Progress, moved, read_progress
from denominator.run.resuming import Does, steps_of
from denominator.run.spending import RUN_CAP
from denominator.wire.codec import to_json

SHOWN_BYTES = 20_000
CHECKED = 2_000
"""Events at the end of the chain that `status` walks."""


def status(run: OpenRun) -> dict[str, Json]:
    """Counts of attempts by state, and what `resume` would do. Says nothing about passes before the gate does.

    Quick however long the journal is: ended attempts are counted, and only the end of the chain is walked, from
    `chain_checked_after` on. `resume`, `card` and `gate` walk all of it. What a reached cap keeps from starting is not open.
    """
    standing = run.journal.standing()
    every = read_progress(standing.open)
    out = _kept_out(standing, every)
    every = {k: moved(s, run.place) for k, s in every.items() if k not in out}
    states = {k: s for k, s in every.items() if s.purpose not in UNCOUNTED}
    counted_out = sum(s.purpose not in UNCOUNTED for s in out.values())
    closed = sum(count for purpose, count in standing.ended.items() if purpose not in UNCOUNTED)
    steps = [*steps_of(states, run.seal)]
    after = max(0, standing.newest - CHECKED)
    return {
        "run_id": run.run_id,
        "arm": str(run.seal.arm.label),
        "pack": f"{run.seal.pack_id} {run.seal.pack_version}",
        "seal": run.seal_digest,
        "declared": len(run.seal.plan.draws),
        "promised": len(states) + closed + counted_out,
        "unpromised": unpromised(run, standing),
        "closed": closed,
        "open": len(states),
        "never_started": counted_out,
        "started_and_open": sum(s.incarnation > 0 for s in states.values()),
        "aside_open": len(every) - len(states),
        "unknown_state": [*(_name(k) for k, s in states.items() if s.unknown_state), *run.journal.verify(after)],
        "chain_checked_after": after,
        "resume_would_start": [_short(s.key) for s in steps if s.does is Does.START],
        "resume_would_go_on": [f"{_short(s.key)} after {s.after}" for s in steps if s.does is Does.GO_ON],
    }


def _kept_out(standing: Standing, states: Mapping[AttemptKey, Progress]) -> dict[AttemptKey, Progress]:
    """Promised attempts that the cap of the run keeps from starting, once the run has stopped for it."""
    capped = any(e.kind == "run.stopped" and e.payload.get("why") == RUN_CAP for e in standing.of_run)
    return {key: state for key, state in states.items() if capped and not state.incarnation}


def show_task(run: OpenRun, task_id: str, labels: Iterable[Label]) -> dict[str, Json]:
    """Every attempt of a task: its events, calls, labels, and the texts behind its blobs (cut at 20,000 bytes).

    Secrets are covered, by form and by value: what is shown is copied into tickets and logs. The blobs hold every byte.
    """
    keys = [key for key in read_progress(run.journal.events()) if key.task_id == task_id]
    if not keys:
        known = ", ".join(sorted({s.task.id for s in run.seal.tasks}))
        raise InputError(f"task {task_id!r} is not in run {run.run_id}", fix=f"one of: {known}")
    by_key: dict[AttemptKey, list[Label]] = {}
    for label in labels:
        by_key.setdefault(label.key, []).append(label)
    attempts: list[Json] = [_attempt(run, key, by_key.get(key, [])) for key in sorted(keys)]
    shown: dict[str, Json] = {"run_id": run.run_id, "task_id": task_id, "seal": run.seal_digest}
    return shown | {"attempts": run.secrets.covered_json(attempts)}


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


def _short(key: AttemptKey) -> str:
    return f"{key.task_id} r{key.repeat} a{key.attempt}"


def _name(key: AttemptKey) -> str:
    return f"{key.task_id} repeat {key.repeat} attempt {key.attempt}"
