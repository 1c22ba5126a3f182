"""What every journal in tables has in common: events as rows, their chain, and who may still write about an attempt."""

from __future__ import annotations

import json
import json.encoder
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from denominator.errors import DuplicateError, FencedError, InputError, InternalError
from denominator.ports import Clock
from denominator.records.events import Draft, Event, Json
from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow
from denominator.wire.canonical import canonical, digest, sha256_bytes
from denominator.wire.codec import to_json
from denominator.wire.encode import any_json
from denominator.wire.shapes import JSON_DEPTH_MAX

FIRST = "0" * 64
"""What the first event of a run follows."""
PLACE = ("task_id", "repeat", "attempt")
EVENT_FIELDS = (
    "seq", "run_id", *PLACE, "incarnation", "t_mono_ns", "boot_id", "t_wall", "phase", "writer", "kind", "checkpoint",
    "stream", "payload", "blob", "prev_sha", "sha",
)  # fmt: skip
CALL_FIELDS = (*PLACE, "incarnation", "seq", "state", "row")
Values = tuple[object, ...]
TEXT = json.encoder.encode_basestring
ENCODE = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode
NEWEST_KINDS = ("started", "closed")
"""Events that say which incarnation of an attempt is the newest."""


def place_of(key: AttemptKey) -> tuple[str, int, int]:
    """An attempt inside its run."""
    return key.task_id, key.repeat, key.attempt


def name_of(key: AttemptKey) -> str:
    """An attempt for people."""
    return f"{key.task_id} repeat {key.repeat} attempt {key.attempt}"


def call_state(row: CallRow) -> str:
    """The three sort in the order in which they are written, so that the latest is the last."""
    return {"open": "intent", "retry": "interim"}.get(row.outcome, "result")


def is_intent(row: CallRow) -> bool:
    """Is it yet to be sent, so that refusing it saves its cost?"""
    return call_state(row) == "intent"


def call_values(row: CallRow) -> tuple[object, ...]:
    """A call as its row, in the order of CALL_FIELDS."""
    return (*place_of(row.key), row.incarnation, row.seq, call_state(row), canonical(row).decode())


def sha_of(event: Event) -> str:
    """The digest of an event: sha256 of its canonical JSON with an empty `sha`."""
    body = to_json(event)
    assert isinstance(body, dict)
    return digest(body | {"sha": ""})


def place_event(draft: Draft, run_id: str, clock: Clock, seq: int, prev: str) -> tuple[Event, Values]:
    """A draft at its place in the chain, and its row in the order of EVENT_FIELDS."""
    key = draft.key
    if key is not None and key.run_id != run_id:
        raise InternalError(f"an event of run {key.run_id} was given to the journal of {run_id}")
    payload = _payload(draft.payload)
    event = Event(
        seq=seq, run_id=run_id, key=key, incarnation=draft.incarnation,
        t_mono_ns=clock.mono_ns(), boot_id=clock.boot_id, t_wall=clock.wall(),
        phase=draft.phase, writer=draft.writer, kind=draft.kind, checkpoint=draft.checkpoint,
        stream=draft.stream, payload=dict(draft.payload), blob=draft.blob, prev_sha=prev, sha="",
    )  # fmt: skip
    # The event is new and nobody else has it: a second one only to add the digest costs as much as the digest.
    object.__setattr__(event, "sha", _sha(event, payload))
    return event, _values(event, payload)


def event_values(event: Event) -> Values:
    """An event as its row, in the order of EVENT_FIELDS."""
    return _values(event, _payload(event.payload))


def _payload(payload: Mapping[str, Json]) -> str:
    """The canonical text of a payload; what no payload may hold is refused as the codec refuses it."""
    try:
        text = _flat(payload) or ENCODE(any_json(payload, (None, "payload"), JSON_DEPTH_MAX + 1))
        text.encode()
    except UnicodeEncodeError:
        return canonical(dict(payload)).decode()  # says in words where it is
    return text


def _flat(payload: Mapping[str, Json]) -> str:
    """The same for texts and whole numbers under names, as most payloads are: a quarter of the work. "" for any other."""
    parts = []
    for name, value in payload.items():
        if name.__class__ is not str:
            return ""
        if value.__class__ is str:
            parts.append((name, TEXT(value)))
        elif value.__class__ is int:
            parts.append((name, str(value)))
        else:
            return ""
    parts.sort()
    return f"{{{','.join([f'{TEXT(name)}:{text}' for name, text in parts])}}}"


def _sha(e: Event, payload: str) -> str:
    """`sha_of` of an event without a digest, whose payload is text already: a third of the work, the same bytes."""
    if not e.incarnation.__class__ is e.seq.__class__ is e.t_mono_ns.__class__ is int:
        return sha_of(e)
    if e.key is not None and not e.key.attempt.__class__ is e.key.repeat.__class__ is int:
        return sha_of(e)
    try:
        return sha256_bytes(_body(e, payload).encode())
    except (TypeError, UnicodeEncodeError):
        return sha_of(e)  # refuses what is no text, in words


def _body(e: Event, payload: str) -> str:
    """Keys in the order of their code points, as canonical JSON has them."""
    key = "null"
    if e.key is not None:
        key = (
            f'{{"attempt":{e.key.attempt},"repeat":{e.key.repeat},"run_id":{TEXT(e.key.run_id)},'
            f'"task_id":{TEXT(e.key.task_id)}}}'
        )
    return (
        f'{{"blob":{TEXT(e.blob)},"boot_id":{TEXT(e.boot_id)},"checkpoint":{TEXT(e.checkpoint)},'
        f'"incarnation":{e.incarnation},"key":{key},"kind":{TEXT(e.kind)},"payload":{payload},"phase":{TEXT(e.phase)},'
        f'"prev_sha":{TEXT(e.prev_sha)},"run_id":{TEXT(e.run_id)},"seq":{e.seq},"sha":"","stream":{TEXT(e.stream)},'
        f'"t_mono_ns":{e.t_mono_ns},"t_wall":{TEXT(e.t_wall)},"writer":{TEXT(e.writer)}}}'
    )


def _values(e: Event, payload: str) -> Values:
    place = (None, None, None) if e.key is None else place_of(e.key)
    texts = (e.boot_id, e.t_wall, str(e.phase), str(e.writer), str(e.kind), str(e.checkpoint), str(e.stream))
    if "\0" in "".join((*texts, e.blob, e.run_id, place[0] or "")):
        raise InputError("a NUL can stand in a payload only", where=f"{e.kind} event")
    return (e.seq, e.run_id, *place, e.incarnation, e.t_mono_ns, *texts, payload, e.blob, e.prev_sha, e.sha)


def event_of(row: tuple[Any, ...]) -> Event:
    """The event of a row in the order of EVENT_FIELDS."""
    (seq, run_id, task, repeat, attempt, incarnation, mono, boot, wall, phase, writer, kind, point, stream) = row[:14]
    payload, blob, prev, sha = row[14:]
    return Event(
        seq=seq, run_id=run_id, key=None if task is None else AttemptKey(run_id, task, repeat, attempt),
        incarnation=incarnation, t_mono_ns=mono, boot_id=boot, t_wall=wall, phase=phase, writer=writer, kind=kind,
        checkpoint=point, stream=stream, payload=json.loads(payload), blob=blob, prev_sha=prev, sha=sha,
    )  # fmt: skip


def latest_calls(rows: Iterable[CallRow]) -> list[CallRow]:
    """One row per exchange, the last of each: rows come in the order of their states."""
    latest: Mapping[object, CallRow] = {(row.key, row.incarnation, row.seq): row for row in rows}
    return list(latest.values())


def chain_problems(events: Iterable[Event], after: int = 0, prev: str = FIRST) -> list[str]:
    """Walk a chain behind event `after`, whose digest is `prev`; every break is named. Empty means sound."""
    wrong, expected = list[str](), after + 1
    for event in events:
        if event.seq != expected:
            wrong.append(f"events {expected} to {event.seq - 1} are missing")
        if event.prev_sha != prev:
            wrong.append(f"event {event.seq} does not follow the event before it")
        if _sha(event, _payload(event.payload)) != event.sha:
            wrong.append(f"event {event.seq} was changed after it was written")
        prev, expected = event.sha, event.seq + 1
    return wrong


class Fence:
    """Only the newest incarnation of an attempt is written down, and each starts once. For one transaction.

    `newest` gives the newest incarnation that the journal knows of an attempt, 0 for none.
    """

    def __init__(self, newest: Callable[[AttemptKey], int], where: str) -> None:
        self._ask, self._where = newest, where
        self.known: dict[AttemptKey, int] = {}

    def newest(self, key: AttemptKey) -> int:
        """The newest incarnation of an attempt."""
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self._ask(key)
        return found

    def draft(self, draft: Draft) -> None:
        """Let an event pass, or raise FencedError or DuplicateError. A promise is of no incarnation."""
        if draft.key is None or draft.kind == "promised":
            return
        newest = self._not_older(draft.key, draft.incarnation)
        if draft.kind == "started" and draft.incarnation == newest:
            raise DuplicateError(f"already in the journal: {_begun(newest, draft.key)}", where=self._where)
        if draft.kind in NEWEST_KINDS:
            self.known[draft.key] = draft.incarnation

    def call(self, row: CallRow) -> None:
        """Let a call pass: what an older incarnation spent is kept, what it would spend is refused."""
        if is_intent(row):
            self._not_older(row.key, row.incarnation)

    def _not_older(self, key: AttemptKey, incarnation: int) -> int:
        newest = self.newest(key)
        if incarnation < newest:
            what = f"{_begun(newest, key)}: {incarnation} is not written down"
            raise FencedError(what, where=self._where)
        return newest


def _begun(incarnation: int, key: AttemptKey) -> str:
    return f"incarnation {incarnation} of {name_of(key)} has begun"
