"""The ledger as a fold of the journal: one row per promised attempt, facts only.

An incarnation that starts at the agent phase forgets what dead ones before it saw; one that starts after a checkpoint
keeps what was seen up to there. Warm-ups and narration probes (purpose `warmup`, `probe`) and their calls are in no row.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from denominator.ledger.exchanges import exchange_fields
from denominator.ledger.fields import text
from denominator.ledger.seen import seen
from denominator.records.events import Event
from denominator.records.keys import AttemptKey, DrawKey
from denominator.records.labels import Evidence, Label
from denominator.records.rows import (
    AttemptRow,
    CallRow,
    Count,
    Defect,
    Failure,
    Ledger,
)
from denominator.records.seals import Seal
from denominator.records.values import NotMeasured
from denominator.wire.trees import EMPTY_TREE

RUN_CONTROL = "run:"


def fold(seal: Seal, run_id: str, events: Iterable[Event], calls: Iterable[CallRow] = ()) -> Ledger:
    """Fold a run's events and calls into its ledger. Rows are sorted by key."""
    by_key: dict[AttemptKey, list[Event]] = {}
    run_events = []
    for event in events:
        if event.key is None:
            run_events.append(event)
        else:
            by_key.setdefault(event.key, []).append(event)
    calls_of = _calls_of(calls, [key for key, found in by_key.items() if _is_aside(_promise(found))])
    sealed = _Sealed(seal)
    rows = [_row(sealed, key, found, calls_of.get(key, [])) for key, found in sorted(by_key.items())]
    return Ledger(
        run_id=run_id,
        source="own",
        declared=seal.plan.draws,
        declared_n=len(seal.plan.draws),
        rows=tuple(row for row in rows if row is not None),
        calls=tuple(call for key in sorted(calls_of) for call in calls_of[key]),
        labels=tuple(_run_control(run_id, e) for e in run_events if e.kind == "run.control"),
        defects=tuple(_defects(run_events, by_key)),
    )


class _Sealed:
    """What every row takes from the seal, looked up once."""

    def __init__(self, seal: Seal) -> None:
        self.seal = seal
        self.draws = {declared.draw: declared for declared in seal.plan.draws}
        self.hidden = {s.task.id for s in seal.tasks if s.locked.hidden_tree != EMPTY_TREE}

    def seed(self, repeat: int) -> Count:
        """Repeat k uses the k-th declared seed."""
        seeds = self.seal.envelope.run.seeds
        return seeds[repeat - 1] if 0 < repeat <= len(seeds) else NotMeasured("the envelope names no seed for it")

    def stratum(self, draw: DrawKey) -> str:
        """The declared stratum of a draw."""
        return self.draws[draw].stratum if draw in self.draws else ""


def _calls_of(calls: Iterable[CallRow], left_out: Collection[AttemptKey]) -> dict[AttemptKey, list[CallRow]]:
    found: dict[AttemptKey, list[CallRow]] = {}
    for call in sorted(calls, key=lambda c: (c.key, c.incarnation, c.seq)):
        if call.key not in left_out:
            found.setdefault(call.key, []).append(call)
    return found


def _promise(events: Iterable[Event]) -> Event | None:
    return next((e for e in events if e.kind == "promised"), None)


def _is_aside(promise: Event | None) -> bool:
    return promise is not None and promise.payload.get("purpose") in ("warmup", "probe")


def _row(sealed: _Sealed, key: AttemptKey, events: list[Event], calls: list[CallRow]) -> AttemptRow | None:
    promise = _promise(events)
    if promise is None or _is_aside(promise):
        return None
    seal, p = sealed.seal, promise.payload
    saw, exchanged = seen(events), exchange_fields(calls, sealed.seal)
    notes = (*saw.pop("notes", ()), *exchanged.pop("notes", ()))
    return AttemptRow(
        key=key,
        slice=text(p, "slice"),
        control=text(p, "control"),
        stratum=text(p, "stratum") or sealed.stratum(key.draw),
        cause=text(p, "cause") or "plan",
        baseline_ref=seal.baseline_digest,
        asked_model=seal.arm.model.id,
        access_class=seal.arm.model.access_class,
        server_class=seal.arm.model.server_class,
        tests_hidden=key.task_id in sealed.hidden,
        seed=sealed.seed(key.repeat),
        first_unrecovered=_first_unrecovered(events),
        notes=notes,
        **saw,
        **exchanged,
    )


def _first_unrecovered(events: list[Event]) -> Failure | None:
    """The earliest unrecovered failure of the incarnation that ended the attempt."""
    last = max((e.incarnation for e in events), default=1)
    for e in events:
        if e.kind == "failure" and e.incarnation == last and e.payload.get("recovered") is not True:
            return Failure(seq=e.seq, cause=text(e.payload, "cause"), writer=e.writer, phase=e.phase)
    return None


def _run_control(run_id: str, event: Event) -> Label:
    p = event.payload
    return Label(
        key=AttemptKey(run_id, f"{RUN_CONTROL}{text(p, 'control')}", 0, 0),
        axis="control",
        value=text(p, "state"),
        by="harness@1",
        why=text(p, "why"),
        evidence=(Evidence(kind="event", ref=str(event.seq), quote=text(p, "grade")),),
    )


def _defects(run_events: list[Event], by_key: Mapping[AttemptKey, list[Event]]) -> Iterable[Defect]:
    for e in run_events:
        if e.kind == "run.changed":
            what = f"{text(e.payload, 'what')} is {text(e.payload, 'found')}, sealed was {text(e.payload, 'sealed')}"
            yield Defect(kind="changed_seal", where=f"event {e.seq}", what=what)
    yield from _armed((*run_events, *(event for _, events in sorted(by_key.items()) for event in events)))
    for key, events in sorted(by_key.items()):
        if events[0].kind != "promised":
            yield Defect(
                kind="unpromised",
                where=f"event {events[0].seq}",
                what="events before a promise",
                keys=(key.task_id,),
            )
        unknown = _unexplained(events)
        if unknown is not None:
            what = f"{text(unknown.payload, 'checkpoint')}: have {text(unknown.payload, 'have')}"
            yield Defect(kind="unknown_state", where=f"event {unknown.seq}", what=what, keys=(key.task_id,))


def _armed(events: Iterable[Event]) -> Iterable[Defect]:
    """Processes that worked on the run with failpoints armed; what several of them say alike is said once."""
    found: dict[str, int] = {}
    for event in events:
        armed = event.payload.get("failpoints") if event.kind in ("run.started", "started") else None
        if isinstance(armed, list) and armed:
            found.setdefault(", ".join(map(str, armed)), event.seq)
    for what, seq in found.items():
        yield Defect(kind="armed_failpoints", where=f"event {seq}", what=what)


def _unexplained(events: Iterable[Event]) -> Event | None:
    """The last unknown state, unless a checkpoint or the ending came after it."""
    found = None
    for event in events:
        if event.kind == "unknown_state":
            found = event
        elif event.kind in ("checkpoint.done", "closed"):
            found = None
    return found
