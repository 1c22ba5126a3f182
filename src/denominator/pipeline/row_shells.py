"""Small values of a line that are decoded by themselves: known texts, what repeats, the earliest failure."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.json import Decoder, Encoder

from denominator.records.draws import LARGEST

Whole = Annotated[int, Meta(ge=0, lt=LARGEST)]


class FailureShell(Struct, gc=False, frozen=True, forbid_unknown_fields=True):
    """The earliest failure that nothing recovered from."""

    cause: str
    phase: str
    seq: Whole
    writer: str


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
def decoder(kind: Any) -> Decoder[Any]:
    """The decoder of one type."""
    return Decoder(kind)


def whole(kind: Any, raw: bytes) -> Any:
    """A small value that is written in the one form, each key once. Raises ValueError for any other."""
    found = decoder(kind).decode(raw)
    if encode(found) != raw:
        raise ValueError
    return found
