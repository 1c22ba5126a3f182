"""Cuts the open values out of the lines of rows, without decoding them.

What is cut out of a line is plain (`row_forms`); everything else is kept, in pieces. A line of another form is not cut at
all. That the cuts are the values they are taken for is proven of one line with each set of pieces.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from denominator.pipeline.row_forms import (
    CLASS,
    NONE,
    NUMBER,
    OBJECTS,
    OPEN,
    REPEAT,
    TEXTS,
    TIME,
    LineForm,
)

DAY = len("2026-11-30")
NUMBER_MARK = 7 * 10**17
"""From here on numbers stand for cut numbers: they are longer than a plain one."""
Pieces = tuple[bytes, ...]
"""What the groups of a line's pattern hold; the first of them is never empty."""


def cut_lines(form: LineForm, text: bytes, lines: Sequence[bytes]) -> list[Pieces | None]:
    """The pieces of lines (`text` holds them, a newline behind each), nothing for a line of another form."""
    if not _is_text(text):
        return [cut_line(form, line) if _is_text(line) else None for line in lines]
    found = form.block.findall(text)
    if len(found) != len(lines):
        # A list or a table without an end goes on in the next line: then no line stands where it seems to.
        return [cut_line(form, line) for line in lines]
    return [pieces if pieces[0] else cut_line(form, line) for pieces, line in zip(found, lines, strict=True)]


def cut_line(form: LineForm, line: bytes) -> Pieces | None:
    """The pieces of one line, nothing where it has another form."""
    found = form.quick.reading.fullmatch(line) or form.full.reading.fullmatch(line)
    return found and found.groups(b"")


def _is_text(raw: bytes) -> bool:
    if raw.isascii():
        return True
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def is_proven(form: LineForm, line: bytes, value: dict[str, Any]) -> bool:
    """Are the cuts of a line what their names say?

    Every cut value is replaced, in the text of the line and in what was read from it, by one that no plain value equals: then
    the text must be the one form of the value. `value` is what a strict reading of the line gave.
    """
    found = form.quick.proving.fullmatch(line) or form.full.proving.fullmatch(line)
    if found is None:
        return False
    text, end, other = b"", 0, _copied(value)
    for at, name in enumerate(form.proven):
        start, stop = found.span(at + 1)
        if start >= 0:
            text += line[end:start] + _mark(at, name, other)
            end = stop
    return text + line[end:] == _one_form(other)


def _one_form(value: Any) -> bytes:
    """As `canonical`, for what a strict reading gave: it holds nothing that has to be looked at again."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def _copied(value: dict[str, Any]) -> dict[str, Any]:
    return {name: dict(one) if isinstance(one, dict) else one for name, one in value.items()}


def _mark(at: int, name: str, value: dict[str, Any]) -> bytes:
    """Puts the mark of a cut into the value; gives its text."""
    outer, _, inner = name.partition(".")
    holder, key = (value[outer], inner) if inner else (value, outer)
    form, text = OPEN[name], f"\\{at}"
    if form in NUMBER + CLASS + REPEAT:
        holder[key] = NUMBER_MARK + at
        return b"%d" % holder[key]
    if form in TEXTS + NONE + OBJECTS:
        holder[key] = [text]
        return _one_form(holder[key])
    holder[key] = holder[key][:DAY] + text if form == TIME else text
    return _one_form(text)[1:-1]


plain_words = re.compile(rb'[^"\\\x00-\x1f]*').fullmatch
