"""What a run of ours left, read by the bench: what is durable, what was paid for twice, whether a resume changed anything."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from denominator.pipeline.run import read_ledger
from denominator.pipeline.world import OpenRun
from denominator.records.events import Event
from denominator.records.faults import Count
from denominator.records.keys import AttemptKey
from denominator.records.rows import AttemptRow, CallRow
from denominator.records.values import NotMeasured
from denominator.records.words import Grade, Outcome, StopReason
from denominator.run.layout import RunFolder
from denominator.testing.scripted_server import ScriptedServer
from denominator.wire.canonical import canonical, digest, sha256_bytes
from denominator.wiring.opening import look_into

JOURNAL = "journal"


def looked_at(root: Path) -> OpenRun:
    """The run for reading; close its journal afterwards."""
    return look_into(RunFolder(root))


def done_checkpoints(events: Iterable[Event]) -> tuple[str, ...]:
    """Checkpoints with a done row, in the order of the first one."""
    return tuple(dict.fromkeys(event.checkpoint for event in events if event.kind == "checkpoint.done"))


def state_of(root: Path) -> str:
    """One digest of everything that a resume without work may not change.

    Every file of the run byte by byte, and the journal by its rows of attempts and calls: that a process started and
    stopped is on record each time, in rows that belong to no attempt.
    """
    sha = hashlib.sha256()
    for path in sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink()):
        name = path.relative_to(root).as_posix()
        if not name.startswith(JOURNAL):
            sha.update(f"{name} {sha256_bytes(path.read_bytes())}\n".encode())
    run = looked_at(root)
    try:
        for event in run.journal.events():
            if event.key is not None:
                sha.update(canonical({"kind": event.kind, "key": event.key, "what": event.payload, "blob": event.blob}))
        for call in run.journal.calls():
            sha.update(canonical(call))
    finally:
        run.journal.close()
    return sha.hexdigest()


def ended_as(run: OpenRun) -> tuple[str, str]:
    """How the task ended, by facts of its rows: (word of `Outcome` or open, the attempt's patch digest or "")."""
    ledger = read_ledger(run)
    if any(defect.kind == "unknown_state" for defect in ledger.defects):
        return "open", ""
    graded = [row for row in ledger.rows if row.grade in (Grade.GREEN, Grade.RED, Grade.TAMPERED)]
    if not all(row.closed for row in ledger.rows):
        return "open", ""
    if not graded:
        return str(Outcome.UNSCOREABLE), ""
    first = graded[0]
    good = first.grade == Grade.GREEN and first.stop_reason == StopReason.PASS
    return str(Outcome.PASS if good else Outcome.FAIL), _patch_of(first)


def _patch_of(row: AttemptRow) -> str:
    sha = getattr(row.patch, "sha256", "")
    return sha if isinstance(sha, str) else ""


def replay_ms(events: Iterable[Event], calls: Iterable[CallRow]) -> Count:
    """Milliseconds from the start of each later incarnation until it was again as far as the one before had come.

    Far is told by kinds of rows: the last one of a later incarnation that an earlier one had written too; where both had
    called the model, the first row after the calls, because calls on record are work that the journal knew.
    """
    total = 0
    called = {(call.key, call.incarnation) for call in calls}
    for key, key_events in _by_key(events).items():
        seen: set[tuple[str, str]] = set()
        paid = False
        for rows in _incarnations(key_events):
            if len({event.boot_id for event in key_events}) > 1:
                return NotMeasured("an attempt spans two boots")
            again = (key, rows[0].incarnation) in called and paid
            total += _again_ms(rows, seen, calls=again) if seen else 0
            seen |= {(event.kind, event.checkpoint) for event in rows}
            paid = paid or (key, rows[0].incarnation) in called
    return total


def _again_ms(rows: Sequence[Event], seen: set[tuple[str, str]], *, calls: bool) -> int:
    """How long one incarnation needed to be where one before it had been."""
    known = [event for event in rows if (event.kind, event.checkpoint) in seen]
    new = [event for event in rows if (event.kind, event.checkpoint) not in seen]
    end = new[0] if calls and new else known[-1] if known else rows[0]
    return (end.t_mono_ns - rows[0].t_mono_ns) // 1_000_000


def _by_key(events: Iterable[Event]) -> Mapping[AttemptKey, list[Event]]:
    found: dict[AttemptKey, list[Event]] = {}
    for event in events:
        if event.key is not None and event.kind != "promised":
            found.setdefault(event.key, []).append(event)
    return found


def _incarnations(events: Sequence[Event]) -> list[list[Event]]:
    numbers = sorted({event.incarnation for event in events})
    return [[event for event in events if event.incarnation == number] for number in numbers]


def paid_again(server: ScriptedServer, requests: Sequence[Mapping[str, Any]]) -> tuple[int, int]:
    """Calls and tokens of requests that the provider had answered before, byte for byte: by its own log."""
    counts: Counter[str] = Counter()
    calls = tokens = 0
    for request in requests:
        name = digest(_plain(request))
        counts[name] += 1
        if counts[name] > 1:
            calls += 1
            tokens += tokens_of(server, request)
    return calls, tokens


def tokens_of(server: ScriptedServer, request: Mapping[str, Any]) -> int:
    """What the provider counted for one request."""
    return int(server.answer(request)["usage"]["total_tokens"])


def _plain(request: Mapping[str, Any]) -> dict[str, Any]:
    return {"messages": [{k: str(v) for k, v in message.items()} for message in request["messages"]]}


def conversations(requests: Iterable[Mapping[str, Any]]) -> int:
    """How often an agent began: requests that hold no answer yet."""
    return sum(not any(m.get("role") == "assistant" for m in request["messages"]) for request in requests)
