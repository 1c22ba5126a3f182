"""The ledger as a fold of the journal: one row per promised attempt, facts only.

A later incarnation of an attempt overwrites what an earlier one saw, except where the earlier one reached a checkpoint
that the later one started after. Warm-up attempts (purpose `warmup`) are in no row.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from denominator.ledger.fields import count, flag, names, tally, text, word
from denominator.records.events import Event, Json
from denominator.records.keys import AttemptKey, DrawKey
from denominator.records.labels import Evidence, Label
from denominator.records.rows import (
    AttemptRow,
    CallRow,
    Declared,
    Defect,
    Failure,
    Ledger,
    PatchFacts,
    TestIds,
    Usage,
)
from denominator.records.seals import Seal
from denominator.records.values import NotMeasured
from denominator.wire.providers import sum_usage

Payload = Mapping[str, Json]
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
    call_rows = sorted(calls, key=lambda c: (c.key, c.incarnation, c.seq))
    rows = [_row(seal, key, found, call_rows) for key, found in sorted(by_key.items())]
    return Ledger(
        run_id=run_id,
        source="own",
        declared=seal.plan.draws,
        declared_n=len(seal.plan.draws),
        rows=tuple(row for row in rows if row is not None),
        calls=tuple(call_rows),
        labels=tuple(_run_control(run_id, e) for e in run_events if e.kind == "run.control"),
        defects=tuple(_defects(run_events, by_key)),
    )


def _row(seal: Seal, key: AttemptKey, events: list[Event], calls: list[CallRow]) -> AttemptRow | None:
    promise = next((e for e in events if e.kind == "promised"), None)
    if promise is None or promise.payload.get("purpose") == "warmup":
        return None
    declared = _declared(seal, key.draw)
    mine = [c for c in calls if c.key == key]
    fields: dict[str, Any] = {
        "key": key,
        "slice": text(promise.payload, "slice"),
        "control": text(promise.payload, "control"),
        "stratum": text(promise.payload, "stratum") or (declared.stratum if declared else ""),
        "cause": text(promise.payload, "cause") or "plan",
        "baseline_ref": seal.baseline_digest,
        "asked_model": seal.arm.model.id,
        "access_class": seal.arm.model.access_class,
        "server_class": seal.arm.model.server_class,
        "tests_hidden": bool(_task_hidden(seal, key.task_id)),
    }
    for event in events:
        fields |= _facts(event)
    fields |= _with_applied(fields)
    fields["first_unrecovered"] = _first_unrecovered(events)
    fields |= _usage(mine, seal)
    return AttemptRow(**fields)


def _with_applied(fields: dict[str, Any]) -> dict[str, Any]:
    """The applied tree belongs to the patch that made it."""
    tree, patch = fields.pop("applied_tree", ""), fields.get("patch")
    return {"patch": replace(patch, applied_tree=tree)} if isinstance(patch, PatchFacts) else {}


def _facts(event: Event) -> dict[str, Any]:
    read = READERS.get(event.kind)
    return {} if read is None else read(event)


def _started(event: Event) -> dict[str, Any]:
    p = event.payload
    fresh = {name: value for name, value in _BLANK.items() if text(p, "from") in ("", "context_loaded")}
    first = {} if event.incarnation > 1 else {"queue_wait_ms": count(p, "queue_wait_ms")}
    return fresh | first | {"started": True, "incarnations": event.incarnation, "cold_start": flag(p, "cold_start")}


# What a new incarnation that begins at the agent phase must forget of the one before it.
_BLANK: dict[str, Any] = {
    "stop_reason": NotMeasured("not closed"),
    "asked": NotMeasured("agent phase not recorded"),
    "abstained": NotMeasured("agent phase not recorded"),
    "patch": NotMeasured("no patch recorded"),
}


def _agent(event: Event) -> dict[str, Any]:
    p = event.payload
    return {
        "setup_ms": count(p, "setup_ms"), "agent_ms": count(p, "wall_ms"), "paused_ms": count(p, "paused_ms"),
        "working_ms": count(p, "working_ms"), "agent_exit": count(p, "exit"), "agent_signal": count(p, "signal"),
        "killed_by": word(p, "killed_by"), "oom": flag(p, "oom"), "after_cap": flag(p, "after_cap"),
        "asked": flag(p, "asked"), "abstained": flag(p, "abstained"),
        "limits_enforced": {str(k): str(v) for k, v in _mapping(p, "enforced").items()},
    }  # fmt: skip


def _patch(event: Event) -> dict[str, Any]:
    p = event.payload
    return {
        "patch": PatchFacts(
            sha256=text(p, "sha256"), bytes=_int(p, "bytes"), touched=names(p, "touched"), outside=names(p, "outside"),
            forbidden=names(p, "forbidden"), refused=names(p, "refused"), base_tree=text(p, "base_tree"),
            final_tree=text(p, "final_tree"),
        ),
        "required_missing": names(p, "required_missing"),
        "canary_hits": names(p, "canary_hits"),
    }  # fmt: skip


def _graded(event: Event) -> dict[str, Any]:
    p = event.payload
    return {
        "grade": text(p, "grade") or "none", "grading_level": word(p, "level"), "grade_stage": word(p, "stage"),
        "verify_exit": count(p, "exit"), "verify_signal": count(p, "signal"), "grade_ms": count(p, "wall_ms"),
        "grader_sha": word(p, "grader_sha"), "report_sha": word(p, "report_sha"),
        "tests": TestIds(
            expected=names(p, "expected"), passed=names(p, "passed"), failed=names(p, "failed"),
            skipped=names(p, "skipped"), missing=names(p, "missing"), other=names(p, "other"),
        ),
        "sentinels": tally(p, "sentinels"), "counter_tests": tally(p, "counter"),
        "time_to_first_green_ms": count(p, "time_to_first_green_ms"),
    }  # fmt: skip


def _closed(event: Event) -> dict[str, Any]:
    return {
        "closed": True,
        "stop_reason": word(event.payload, "stop_reason"),
        "wall_ms": count(event.payload, "wall_ms"),
    }


def _applied(event: Event) -> dict[str, Any]:
    return {"applied_tree": text(event.payload, "tree")}


READERS = {
    "started": _started,
    "agent.ended": _agent,
    "patch": _patch,
    "applied": _applied,
    "graded": _graded,
    "closed": _closed,
}


def _first_unrecovered(events: list[Event]) -> Failure | None:
    """The earliest unrecovered failure of the incarnation that ended the attempt."""
    last = max((e.incarnation for e in events), default=1)
    for e in events:
        if e.kind == "failure" and e.incarnation == last and e.payload.get("recovered") is not True:
            return Failure(seq=e.seq, cause=text(e.payload, "cause"), writer=e.writer, phase=e.phase)
    return None


def _usage(calls: list[CallRow], seal: Seal) -> dict[str, Any]:
    if seal.arm.model.id == "none":
        zero = Usage(prompt=0, completion=0, cached_read=0, cache_write=0, reasoning=0, calls=0, complete=True)
        return {"usage": sum_usage(calls) if calls else zero, "provider_retries": 0}
    if seal.envelope.sandbox.network != "gateway":
        return {}
    invalid: dict[str, int] = {}
    for call in calls:
        if call.outcome != "ok" and call.sent is not False:
            name = f"http_{call.status}" if isinstance(call.status, int) else "no_answer"
            invalid[name] = invalid.get(name, 0) + 1
    served = sorted({c.served_model for c in calls if isinstance(c.served_model, str)})
    retries = sum(c.outcome == "retry" for c in calls)
    return {
        "usage": sum_usage(calls),
        "provider_retries": retries,
        "invalid_calls": invalid,
        "served_models": tuple(served),
    }


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
    for key, events in sorted(by_key.items()):
        if events[0].kind != "promised":
            yield Defect(
                kind="unpromised",
                where=f"event {events[0].seq}",
                what="events before a promise",
                keys=(key.task_id,),
            )
        last = events[-1]
        if last.kind == "unknown_state":
            what = f"{text(last.payload, 'checkpoint')}: have {text(last.payload, 'have')}"
            yield Defect(kind="unknown_state", where=f"event {last.seq}", what=what, keys=(key.task_id,))


def _declared(seal: Seal, draw: DrawKey) -> Declared | None:
    return next((d for d in seal.plan.draws if d.draw == draw), None)


def _task_hidden(seal: Seal, task_id: str) -> bool:
    return any(s.task.id == task_id and s.task.verify.expected_tests for s in seal.tasks)


def _mapping(payload: Payload, name: str) -> Mapping[str, Json]:
    value = payload.get(name)
    return value if isinstance(value, dict) else {}


def _int(payload: Payload, name: str) -> int:
    value = payload.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
