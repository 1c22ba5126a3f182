"""The whole text of an event stream, read exactly: what was sent as events, what was not, and where each one ended.

The same lines make the same events as in `sse.py`, which reads as they arrive and counts an event that was left open; here
that event is told apart, as are bytes that are no UTF-8, comments and lines of no meaning.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

BOM = b"\xef\xbb\xbf"
_LINE = re.compile(rb"([^\r\n]*)([\r\n]*)")
FIELDS = (b"data", b"event", b"id", b"retry")


@dataclass(frozen=True, slots=True)
class Sent:
    """An event: its type ("message" where none was named), its data, and how many bytes had to be there to have it.

    `exact` is false where its bytes are no UTF-8 (then each bad byte stands as U+FFFD).
    """

    kind: str
    data: str
    end: int
    exact: bool = True


@dataclass(frozen=True, slots=True)
class EventText:
    """What a text holds as an event stream. `open`: data of an event that never ended; None where none had begun.

    `comments` and `fields` are numbers of lines; `strange` are lines of neither kind, which every reader drops. `errors`
    are lines of a field `error`, which the format does not know either and some servers send.
    """

    events: tuple[Sent, ...] = ()
    open: str | None = None
    comments: int = 0
    fields: int = 0
    strange: int = 0
    errors: int = 0


@dataclass(slots=True)
class _Growing:
    kind: str = ""
    data: list[str] = field(default_factory=list)
    exact: bool = True


def read_events(text: bytes) -> EventText:
    """Reads the whole text. Never raises."""
    events: list[Sent] = []
    counts = {"comments": 0, "fields": 0, "strange": 0, "errors": 0}
    growing, opened = _Growing(), False
    for found in _LINE.finditer(text, len(BOM) if text.startswith(BOM) else 0):
        line, ends = found.groups()
        if line:
            what = _take(growing, line)
            counts[what] += 1
            # The last line may have been cut inside the name of its field.
            opened = opened or what == "fields" or (what == "strange" and not ends)
        size = _one(ends)
        # Only at the very beginning a run of line ends has no line before it.
        if line and len(ends) > size:
            # An event without data is none, and what it named is forgotten.
            if growing.data:
                events.append(_sent(growing, found.start(2) + size + _one(ends[size:])))
            if opened:
                growing, opened = _Growing(), False
    left = "\n".join(growing.data) if growing.data or opened else None
    return EventText(tuple(events), left, **counts)


def _one(ends: bytes) -> int:
    """The size of the first of some line ends."""
    return 2 if ends.startswith(b"\r\n") else min(1, len(ends))


def _take(growing: _Growing, line: bytes) -> str:
    """Takes a line; says what it was."""
    if line.startswith(b":"):
        return "comments"
    name, _, value = line.partition(b":")
    if name not in FIELDS:
        return "errors" if name == b"error" else "strange"
    value = value.removeprefix(b" ")
    try:
        said = value.decode()
    except UnicodeDecodeError:
        said, growing.exact = value.decode("utf-8", "replace"), growing.exact and name != b"data"
    if name == b"data":
        growing.data.append(said)
    elif name == b"event":
        growing.kind = said
    return "fields"


def _sent(growing: _Growing, end: int) -> Sent:
    return Sent(growing.kind or "message", "\n".join(growing.data), end, growing.exact)
