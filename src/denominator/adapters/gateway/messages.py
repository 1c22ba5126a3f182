"""What the runner and the gateway process say to each other: one JSON object a line over a socket pair.

The process carries HTTP and knows no journal; the runner holds the journal and the budgets and carries no HTTP. A call is made
only after the runner has answered its intent with a `Grant` that refuses nothing. When either side is gone the other
sees the end of the stream: the process ends at once, the runner ends the attempts that had a lease as lost.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TypeAlias, cast

from denominator.errors import InputError
from denominator.records.events import Json
from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow
from denominator.wire.codec import from_json, loads, to_json


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """Runner: listen for one attempt at a socket in `folder`, for the user `uid` (-1: the process's own)."""

    lease: int
    folder: str
    uid: int
    token: str
    key: AttemptKey
    incarnation: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Close:
    """Runner: stop listening, cut what is open, settle every call."""

    lease: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """Runner: the intent `ask` is recorded as call `seq`, or refused: `word` for the row, `said` for the agent."""

    lease: int
    ask: int
    seq: int = 0
    status: int = 0
    word: str = ""
    said: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """Process: listening at `path`, or `trouble` says why not."""

    lease: int
    path: str = ""
    trouble: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """Process: a call is about to be made; `row.seq` is 0 until it is granted. `ask` is unique within the lease."""

    lease: int
    ask: int
    row: CallRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """Process: how a call ended. Also for calls that the process refused itself, as a whole row that was never asked."""

    lease: int
    row: CallRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    """Process: every call of the lease is settled; nothing more of it will come."""

    lease: int


Message: TypeAlias = Open | Close | Grant | Opened | Ask | Done | Closed
_KINDS: dict[str, type[Message]] = {
    "open": Open,
    "close": Close,
    "grant": Grant,
    "opened": Opened,
    "ask": Ask,
    "done": Done,
    "closed": Closed,
}
_NAMES = {cls: name for name, cls in _KINDS.items()}
_BLANK = {
    name: value
    for name, value in cast(dict[str, Json], to_json(CallRow(key=AttemptKey("", ""), seq=0))).items()
    if name not in ("key", "seq", "schema_version")
}


def write_message(message: Message) -> bytes:
    """One line with its end. Of a row only what it says is told: most of its fields say nothing yet, or never will."""
    told = to_json(message)
    assert isinstance(told, dict)
    if isinstance(row := told.get("row"), dict):
        told["row"] = {name: value for name, value in row.items() if name not in _BLANK or value != _BLANK[name]}
    return json.dumps({"kind": _NAMES[type(message)], "message": told}, separators=(",", ":")).encode() + b"\n"


def read_message(line: bytes) -> Message:
    """One line. Raises `InputError` for what is no message."""
    found = loads(line.decode(), "gateway")
    cls = _KINDS.get(found.get("kind", "")) if isinstance(found, dict) else None
    if cls is None:
        raise InputError("this is no message of the gateway", where="gateway")
    return from_json(cls, found["message"], "gateway")
