"""One `evt` line -> name, typed values, bare words."""

from __future__ import annotations

import re

from denominator.readers.logs.shape import LogEvent, Value
from denominator.readers.logs.view import CONTROL

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,79}\Z")
PART = re.compile(r"([A-Za-z][A-Za-z0-9_.-]{0,79})=(\"(?:[^\"\\]|\\.)*\"|\S*)|(\S+)")
WHOLE = re.compile(r"-?[0-9]{1,18}\Z")
WORDS: dict[str, Value] = {"true": True, "false": False, "none": None, "null": None, "": None}
MOST_PARTS = 64
MOST_TEXT = 2_000


def parse_event(line: bytes, seq: int, offset: int, at_ms: int, phase: str) -> LogEvent | None:
    """The event of a line's text, or None when it does not begin with a name."""
    text = CONTROL.sub(b"", line).decode("utf-8", "replace").strip()
    name, _, rest = text.partition(" ")
    if not NAME.match(name):
        return None
    values: dict[str, Value] = {}
    words: list[str] = []
    for found in PART.finditer(rest[: MOST_PARTS * MOST_TEXT]):
        if len(values) + len(words) >= MOST_PARTS:
            break
        if found[1] is None:
            words.append(found[3][:MOST_TEXT])
        else:
            values.setdefault(found[1], _typed(found[2][:MOST_TEXT]))
    return LogEvent(seq=seq, offset=offset, at_ms=at_ms, phase=phase, name=name, values=values, words=tuple(words))


def _typed(text: str) -> Value:
    if len(text) >= 2 and text[0] == text[-1] == '"':
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    if text.lower() in WORDS:
        return WORDS[text.lower()]
    return int(text) if WHOLE.match(text) else text
