"""What the incarnations of one attempt saw, event by event, as fields of its row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from denominator.ledger.fields import count, counts, flag, names, tally, text, word
from denominator.ledger.readings import read_facts
from denominator.records.events import Event, Json
from denominator.records.rows import PatchFacts, TestIds
from denominator.records.values import NotMeasured
from denominator.records.words import Grade

Payload = Mapping[str, Json]


def seen(events: Iterable[Event]) -> dict[str, Any]:
    """What the incarnation that came farthest saw, with what it took over from those before it."""
    fields: dict[str, Any] = {}
    waited: dict[str, Any] = {}
    for event in events:
        if event.kind == "started":
            waited = waited or _first_start(event)
            if text(event.payload, "from") in FROM_THE_BEGINNING:
                fields = {}
        read = READERS.get(event.kind)
        fields |= {} if read is None else read(event)
    shown = (*fields.pop("patch_gave_away", ()), *fields.pop("report_gave_away", ()))
    fields |= {"gave_away": shown} if shown else {}
    tree, patch = fields.pop("applied_tree", ""), fields.get("patch")
    if isinstance(patch, PatchFacts):
        fields["patch"] = replace(patch, applied_tree=tree)
    return fields | waited


FROM_THE_BEGINNING = ("", "context_loaded")


def _first_start(event: Event) -> dict[str, Any]:
    """What the first start of an attempt says; later incarnations do not move it."""
    at = event.t_wall or NotMeasured("the journal has no time for it")
    return {"queue_wait_ms": count(event.payload, "queue_wait_ms"), "started_at": at}


def _started(event: Event) -> dict[str, Any]:
    return {
        "started": True,
        "incarnations": event.incarnation,
        "cold_start": flag(event.payload, "cold_start"),
        "stop_reason": NotMeasured("not closed"),
    }


def _agent(event: Event) -> dict[str, Any]:
    p = event.payload
    return {
        "setup_ms": count(p, "setup_ms"), "agent_ms": count(p, "wall_ms"), "paused_ms": count(p, "paused_ms"),
        "working_ms": count(p, "working_ms"), "agent_exit": count(p, "exit"), "agent_signal": count(p, "signal"),
        "killed_by": word(p, "killed_by"), "oom": flag(p, "oom"), "after_cap": flag(p, "after_cap"),
        "asked": flag(p, "asked"), "abstained": flag(p, "abstained"), "run_cap_cut": p.get("run_cap_cut") is True,
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
        "canary_echo": flag(p, "canary_echo"),
        "tampering": names(p, "tampering"),
        "patch_gave_away": names(p, "gave_away"),
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
        "runner": word(p, "runner"), "runner_ending": word(p, "runner_ending"), "test_counts": counts(p, "test_counts"),
        "runner_blames_patch": flag(p, "runner_blames_patch"),
        "tests_written_by_agent": flag(p, "tests_written_by_agent"),
        "forged_output": flag(p, "forged_output"),
        "report_gave_away": (f"report: {text(p, 'why')}",) if text(p, "grade") == Grade.TAMPERED else (),
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
    "facts": read_facts,
}


def _mapping(payload: Payload, name: str) -> Mapping[str, Json]:
    value = payload.get(name)
    return value if isinstance(value, dict) else {}


def _int(payload: Payload, name: str) -> int:
    value = payload.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
