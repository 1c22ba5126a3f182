"""The documents of a body: one, or one in every event of a stream, each with the place where it was there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from denominator.probe.answers.arrival import Arrival
from denominator.wire.lawful import Lawful, read_lawful
from denominator.wire.sse_text import BOM, EventText, Sent, read_events

DONE = "[DONE]"
BEATS = ("ping", "heartbeat", "keepalive", "keep-alive", "keep_alive")
"""Names of events that keep a connection open."""
BEGINNING = 64 * 1024
"""Bytes in which a body that is labelled as a stream has to show a line of one."""
FIRST_LINE = re.compile(rb"[^\r\n]*")


class Form(StrEnum):
    """What a body is, by its bytes: a label alone makes nothing a stream."""

    EMPTY = "empty"
    DOCUMENT = "document"
    EVENTS = "events"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One JSON object, how many bytes of the body it took to have it, and the event's type."""

    data: Mapping[str, Any]
    end: int
    kind: str = "message"


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """A body taken apart. `odd` are (word of envelope_error, note) of what could not be read or is not as JSON has it.

    `lost`: something could not be read at all, so that what was said is not known in full. `done_at`: how many bytes
    there were at the final event, 0 where none came. `after` counts events behind it; `silent` says that nothing but
    comments and other signs of life came. `named_errors` are events of type error.
    """

    form: Form
    pieces: tuple[Piece, ...] = ()
    odd: tuple[tuple[str, str], ...] = ()
    lost: bool = False
    done_at: int = 0
    after: int = 0
    open: str | None = None
    comments: int = 0
    silent: bool = False
    named_errors: int = 0


def read_body(arrival: Arrival) -> Body:
    """Takes a body apart by what it is."""
    data = arrival.body
    if not data.strip():
        return Body(form=Form.EMPTY, silent=bool(data) and arrival.labelled_events)
    document = read_lawful(data)
    if document.known or not _looks_like_events(data, arrival.labelled_events):
        return _document(document, len(data), arrival)
    return _events(read_events(data), len(data))


def _looks_like_events(data: bytes, labelled: bool) -> bool:
    """Does it begin with a line of an event stream? Of a body that is labelled as one, any such line will do."""
    text = data.removeprefix(BOM).lstrip(b"\r\n")
    found = read_events(text[:BEGINNING] if labelled else FIRST_LINE.match(text)[0])  # type: ignore[index]
    return bool(found.fields or found.comments)


def _document(document: Lawful, size: int, arrival: Arrival) -> Body:
    odd = tuple((word, arrival.label if word == "not_json" else "") for word in document.wrong)
    form = Form.DOCUMENT if document.known else Form.OTHER
    if not isinstance(document.value, dict):
        odd = odd if not document.known else (*odd, ("not_an_object", "a JSON value that is no object"))
        return Body(form=form, odd=odd, lost=True)
    return Body(form=form, pieces=(Piece(data=document.value, end=size),), odd=odd)


def _events(text: EventText, size: int) -> Body:
    pieces: list[Piece] = []
    odd: list[tuple[str, str]] = []
    done_at = after = 0
    errors = text.errors
    lost = False
    for number, sent in enumerate(text.events, 1):
        if done_at:
            after += 1
        elif sent.data.strip() == DONE:
            done_at = sent.end
        elif sent.data:
            errors += sent.kind == "error"
            words, piece = _event(sent)
            odd.extend((word, f"event {number}") for word in words)
            lost = lost or (piece is None and sent.kind != "error")
            pieces += [piece] if piece else []
    left = text.open
    if left is not None and left.strip() == DONE and not done_at:
        # The last line says that nothing follows; only its blank line is missing.
        done_at, left = size, None
    return Body(
        form=Form.EVENTS,
        pieces=tuple(pieces),
        odd=tuple(odd),
        lost=lost,
        done_at=done_at,
        after=after,
        open=left if not done_at else None,
        comments=text.comments,
        silent=not (done_at or errors or odd or text.open) and all(map(_is_beat, pieces)),
        named_errors=errors,
    )


def _is_beat(piece: Piece) -> bool:
    """Does an event say no more than that somebody is there?"""
    return not piece.data or piece.kind in BEATS or piece.data.get("type") in BEATS


def _event(sent: Sent) -> tuple[tuple[str, ...], Piece | None]:
    """What is wrong with an event's data, and the object in it. An event of type error is one whatever it holds."""
    document = read_lawful(sent.data)
    if sent.kind == "error" and not isinstance(document.value, dict):
        return (), None
    if not sent.exact:
        return ("not_utf8",), None
    if not document.known:
        word = "too_deep" if "too_deep" in document.wrong else "event_not_json"
        return (word,), None
    if not isinstance(document.value, dict):
        return (*document.wrong, "not_an_object"), None
    return document.wrong, Piece(data=document.value, end=sent.end, kind=sent.kind)
