"""What msgspec decodes from the line of a row: the values that differ from row to row of a kind, and nothing else.

A value of another type, a negative number or one larger than anything measured makes the line an odd one (ValueError): it
is read as a row. Where a field may be unknown, its object stays closed: it belongs to the rest of the line.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any

from msgspec import Meta, Raw, Struct, defstruct
from msgspec.json import Decoder, Encoder

from denominator.records.draws import LARGEST
from denominator.records.rows import AttemptRow

Whole = Annotated[int, Meta(ge=0, lt=LARGEST)]
EMPTY = Raw(b"")
CLOSED = None
"""Stands for a number that the line does not state."""


class Unknown(Struct, gc=False, frozen=True):
    """A value that is not measured, and why."""

    not_measured: str


Number = Whole | Unknown | None
Word = str | Unknown


class TestsShell(Struct, gc=False, frozen=True):
    """Reported test ids; none of any kind where they are unknown."""

    expected: list[str] = []
    failed: list[str] = []
    missing: list[str] = []
    other: list[str] = []
    passed: list[str] = []
    skipped: list[str] = []


class KeyShell(Struct, gc=False, frozen=True):
    """The place of a row."""

    repeat: Whole
    task_id: str


class SourceShell(Struct, gc=False, frozen=True):
    """The line of a foreign row."""

    line: Whole | None
    sha256: str


class FailureShell(Struct, gc=False, frozen=True):
    """The place of an event."""

    seq: Whole


class PatchShell(Struct, gc=False, frozen=True):
    """Digests, size and paths of a patch; all absent where it is unknown."""

    applied_tree: str = ""
    base_tree: str = ""
    bytes: Number = CLOSED
    final_tree: str = ""
    forbidden: list[str] = []
    outside: list[str] = []
    refused: list[str] = []
    sha256: str = ""
    touched: list[str] = []


class UsageShell(Struct, gc=False, frozen=True):
    """Tokens and calls."""

    cache_write: Number = CLOSED
    cached_read: Number = CLOSED
    calls: Number = CLOSED
    completion: Number = CLOSED
    prompt: Number = CLOSED
    reasoning: Number = CLOSED


class ToolsShell(Struct, gc=False, frozen=True):
    """Numbers of tool calls, and what repeats."""

    calls: Whole | None = CLOSED
    repeats: Raw = EMPTY
    with_results: Whole | None = CLOSED


class SurfacesShell(Struct, gc=False, frozen=True):
    """How many surfaces, and which."""

    invented: list[str] = []
    unchecked: list[str] = []
    used: Whole | None = CLOSED


OPEN: dict[str, tuple[Any, Any]] = {
    "agent_ms": (Number, CLOSED),
    "first_unrecovered": (FailureShell | None, None),
    "grade_ms": (Number, CLOSED),
    "hints": (Raw, EMPTY),
    "key": (KeyShell | None, None),
    "notes": (Raw, EMPTY),
    "patch": (PatchShell, PatchShell()),
    "paused_ms": (Number, CLOSED),
    "queue_wait_ms": (Number, CLOSED),
    "report_sha": (Word, ""),
    "setup_ms": (Number, CLOSED),
    "source": (SourceShell, SourceShell(CLOSED, "")),
    "started_at": (Word, ""),
    "surfaces": (SurfacesShell, SurfacesShell()),
    "tests": (TestsShell, TestsShell()),
    "time_to_first_green_ms": (Number, CLOSED),
    "tools": (ToolsShell, ToolsShell()),
    "usage": (UsageShell, UsageShell()),
    "wall_ms": (Number, CLOSED),
    "words": (Raw, EMPTY),
    "working_ms": (Number, CLOSED),
}
"""Fields of a row that are open in its kind: what is decoded of them, and what stands for an absent one."""


class HintShell(Struct, gc=False, frozen=True, forbid_unknown_fields=True):
    """A known text and where it stands."""

    cause: str
    family: str
    length: Whole
    offset: Whole
    quote: str
    ref: str
    stream: str
    writer: str


class RepeatShell(Struct, gc=False, frozen=True, forbid_unknown_fields=True):
    """A block of tool calls that came again."""

    block: Whole
    first: Whole
    times: Whole
    tools: list[str]


encode = Encoder().encode


@cache
def row_decoder() -> Callable[[bytes], Any]:
    """Decodes the open fields of a row. The others are named too, and kept as bytes: msgspec passes known keys quickest."""
    names = sorted(field.name for field in dataclasses.fields(AttemptRow))
    shell = defstruct("RowShell", [(name, *OPEN.get(name, (Raw, EMPTY))) for name in names], gc=False)
    return Decoder(shell).decode


@cache
def decoder(kind: Any) -> Decoder[Any]:
    """The decoder of one type."""
    return Decoder(kind)


def whole(kind: Any, raw: bytes) -> Any:
    """A small value that is written in the one form, each key once. Raises ValueError for any other."""
    found = decoder(kind).decode(raw)
    if encode(found) != raw:
        raise ValueError
    return found
