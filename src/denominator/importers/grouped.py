"""Shapes in which one attempt is spread over several lines: model calls, checkpoints of a foreign journal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal

from denominator.importers.attempts import Built
from denominator.importers.columns import Cells
from denominator.importers.judgements import BY, OUTCOMES
from denominator.importers.raw import json_text
from denominator.importers.values import CsvText
from denominator.records.keys import AttemptKey
from denominator.records.labels import Evidence, Label
from denominator.records.rows import UNREAD, AttemptRow, CallRow, Usage
from denominator.records.words import Axis, Checkpoint
from denominator.wire.sources.loose import whole_number

CHECKPOINTS = frozenset(word.value for word in Checkpoint)


def by_key(built: Built, *, one_attempt: bool) -> dict[AttemptKey, list[int]]:
    """Places of the lines of each attempt; `one_attempt` takes the numbers of attempts for numbers of calls."""
    found: dict[AttemptKey, list[int]] = {}
    for place, row in enumerate(built.rows):
        key = replace(row.key, attempt=1) if one_attempt else row.key
        found.setdefault(key, []).append(place)
    return found


def group_calls(built: Built) -> tuple[CallRow, ...]:
    """One attempt a task with its calls; the shape holds no verdict, so there is no outcome."""
    calls, rows, cells = [], [], []
    for key, places in by_key(built, one_attempt=True).items():
        made = [_call(key, seq, built.cells[place]) for seq, place in enumerate(places, 1)]
        calls += made
        invalid: dict[str, int] = {}
        for call in made:
            if kind := invalid_class(call):
                invalid[kind] = invalid.get(kind, 0) + 1
        first = built.rows[places[0]]
        closed = all(built.rows[place].closed for place in places)
        usage = Usage(calls=len(made))
        rows.append(replace(first, key=key, invalid_calls=invalid, usage=usage, closed=closed, extra={}))
        cells.append(built.cells[places[0]])
    built.rows, built.cells = rows, cells
    return tuple(calls)


def calls_beside(built: Built) -> tuple[CallRow, ...]:
    """Rows that hold a verdict and the HTTP status of their one call with its latency: each is also a call."""
    calls = []
    for place, (row, cells) in enumerate(zip(built.rows, built.cells, strict=True)):
        status = cells.number("http_status") if "http_status" in cells.known else _http(cells.raw.value.get("status"))
        if status is None or "latency_s" not in cells.known or isinstance(row.usage.calls, int):
            continue
        call = replace(_call(row.key, 1, cells), status=status, outcome="ok" if 200 <= status < 300 else "gave_up")
        kind = invalid_class(call)
        usage = replace(row.usage, calls=1)
        built.rows[place] = replace(row, invalid_calls={kind: 1} if kind else {}, usage=usage)
        calls.append(call)
    return tuple(calls)


def _http(value: object) -> int | None:
    """A number that is an HTTP status, 0 for no answer."""
    if isinstance(value, CsvText) and value.strip().isdecimal():
        value = whole_number(value.strip())
    if isinstance(value, bool) or not isinstance(value, int | Decimal) or value != int(value):
        return None
    return int(value) if value == 0 or 100 <= value < 600 else None


def _call(key: AttemptKey, seq: int, cells: Cells) -> CallRow:
    status = cells.number("http_status")
    latency = cells.number("latency_s")
    return CallRow(
        key=key,
        seq=seq,
        outcome="ok" if status is not None and 200 <= status < 300 else "gave_up",
        status=UNREAD if status is None else status,
        last_byte_ms=UNREAD if latency is None else latency,
    )


def invalid_class(call: CallRow) -> str:
    """The class of an invalid call: rate_limited, server_error, no_answer, other_4xx; empty for a valid one."""
    status = call.status
    if not isinstance(status, int) or 200 <= status < 400:
        return ""
    if status == 429:
        return "rate_limited"
    if status >= 500:
        return "server_error"
    return "other_4xx" if status >= 400 else "no_answer"


def group_checkpoints(built: Built, verdicts: Mapping[str, object], where: str) -> None:
    """One row an attempt with its checkpoints in `extra`; the verdict of a task belongs to its last attempt."""
    rows, cells = [], []
    grouped = by_key(built, one_attempt=False)
    last = {key.task_id: key for key in sorted(grouped)}
    for key, places in grouped.items():
        lines = [built.cells[place] for place in places]
        for one in lines:
            if one.text("checkpoint") not in CHECKPOINTS:
                what = f"{key.task_id}: checkpoint {one.text('checkpoint')!r} was never declared"
                built.refuse("undeclared_checkpoint", one.raw, what, key.task_id)
        row = _attempt(built.rows[places[0]], lines)
        rows.append(_with_verdict(built, row, verdicts, where) if last[key.task_id] == key else row)
        cells.append(lines[0])
    built.rows, built.cells = rows, cells


def _attempt(first: AttemptRow, lines: list[Cells]) -> AttemptRow:
    points = [
        {
            "line": one.raw.line,
            "checkpoint": one.text("checkpoint"),
            "digest": one.text("payload_digest"),
            "epoch": one.number("epoch") or 1,
        }
        for one in lines
    ]
    epochs = {one.number("epoch") or 1 for one in lines}
    return replace(first, extra={"checkpoints": json_text(points)}, incarnations=len(epochs), wall_ms=UNREAD)


def _with_verdict(built: Built, row: AttemptRow, verdicts: Mapping[str, object], where: str) -> AttemptRow:
    told = verdicts.get(row.key.task_id)
    if not isinstance(told, dict):
        return row
    status = told.get("status")
    if status in OUTCOMES and status != "unscoreable":
        evidence = (Evidence(kind="import", ref=where, quote=f"status={json_text(status)}"),)
        built.labels.append(
            Label(key=row.key, axis=Axis.OUTCOME, value=str(status), by=BY, confidence="low", evidence=evidence)
        )
    return replace(row, extra={**row.extra, "verdict": json_text(told)})
