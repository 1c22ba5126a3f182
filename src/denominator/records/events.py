"""What the journal holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from denominator.records.keys import AttemptKey

JsonScalar = str | int | bool | None
Json = JsonScalar | list["Json"] | dict[str, "Json"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An event before the journal gave it its place (seq, clocks, chain)."""

    kind: str
    phase: str
    writer: str
    key: AttemptKey | None = None
    incarnation: int = 1
    checkpoint: str = ""
    stream: str = ""
    payload: Mapping[str, Json] = field(default_factory=dict)
    blob: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One appended line of the journal. `t_mono_ns` is comparable only under one `boot_id`; `t_wall` is UTC, for reading."""

    seq: int
    run_id: str
    key: AttemptKey | None
    incarnation: int
    t_mono_ns: int
    boot_id: str
    t_wall: str
    phase: str
    writer: str
    kind: str
    checkpoint: str
    stream: str
    payload: Mapping[str, Json]
    blob: str
    prev_sha: str
    sha: str
