"""The nouns of text logs: a known text, a place where it was seen, an event that the harness wrote, a log as it was read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Value = int | bool | str | None
"""A typed value of an event: whole numbers, true, false, none; everything else is text (decimals too)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """One known text, as data.

    `pattern` is a bytes regular expression without regard to case; it never crosses a line. `needs`: one of these
    literals (lower case) is in every match, so that most text is passed over quickly. `where` are the only places in
    which it may count: S setup, P provider client, B sandbox API, V verifier supervisor, H harness itself. `cause` is
    a word of the cause table, `setup_cause` another one for the phase setup. `unless`: no match on a line that also
    holds this. `network`: it means nothing where the envelope switches the network off. `after`: the cause when the
    text of that other signature came before it in the same phase. `vague`: a hint that names no cause by itself.
    """

    name: str
    family: str
    pattern: bytes
    needs: tuple[bytes, ...]
    where: str
    cause: str
    setup_cause: str = ""
    unless: bytes = b""
    network: bool = False
    after: Mapping[str, str] = field(default_factory=dict)
    vague: bool = False
    examples: tuple[bytes, ...] = ()
    misses: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Hit:
    """A known text in an owned stream: `offset` and `length` are bytes of the file, `quote` its line made readable."""

    offset: int
    length: int
    signature: str
    phase: str
    stream: str
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LogEvent:
    """One `evt` line: a structured event that the harness wrote. `seq` counts events from 1, `offset` is its first byte.

    `at_ms` are milliseconds since the midnight before the log began; a clock that passes midnight goes on counting.
    `words` are the bare words after the name.
    """

    seq: int
    offset: int
    at_ms: int
    phase: str
    name: str
    values: Mapping[str, Value] = field(default_factory=dict)
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """What the runner's *printed* text claims, for holding it against the report; it is never evidence of a pass."""

    passed: tuple[str, ...] = ()
    cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRead:
    """One log, read once. `head` and `tail` are its first and last bytes; together they are all of a short log.

    `formatted` is false when no line has the format `HH:MM:SS.mmm phase/stream| text`: then all of it counts as the
    agent's output and nothing was looked for. `hits` are the earliest few of each signature
    and stream; `words` are the same texts where an agent or its tests printed them, in the first few MiB of the log:
    to read beside a row, evidence of nothing. `lost_events` counts events beyond the limit.
    """

    name: str
    sha256: str
    size: int
    head: bytes
    tail: bytes
    formatted: bool
    span_ms: int
    hits: tuple[Hit, ...] = ()
    words: tuple[Hit, ...] = ()
    events: tuple[LogEvent, ...] = ()
    claims: Claims = Claims()
    lost_events: int = 0
