"""Cuts the open values out of the line of a row, without decoding it.

Lines of ours hold their keys in one order, so every open value is found behind the one before it. What is cut out is plain
(`row_forms`); everything else is kept, in pieces. A line of another form is not cut at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from operator import itemgetter
from typing import Any, NamedTuple

from msgspec.json import Decoder

from denominator.pipeline.row_forms import (
    CLASS,
    FORMS,
    NAMES,
    NONE,
    NUMBER,
    OBJECTS,
    REPEAT,
    SELDOM,
    TASK,
    TEXTS,
    TIME,
    WORD,
    parts,
)
from denominator.records.draws import NUMBERS
from denominator.wire.canonical import canonical

EMPTY = b"[]"
ZERO = b"0"
DAY = len("2026-11-30")
PLACE = ("key.task_id", "key.repeat")
COMPARED = ("paused_ms", "working_ms", "patch.base_tree", "patch.final_tree", "tests.expected", "tests.passed")
"""Open values that are of a kind by how they compare with each other."""


def _of(forms: str, *first: str) -> tuple[str, ...]:
    """Names of open values of some forms, with certain ones before the others."""
    names = [name for name, form in zip(NAMES, FORMS, strict=True) if form in forms]
    return tuple(dict.fromkeys([*(one for one in first if one in names), *names]))


_numbers, _words = _of(NUMBER + SELDOM, *NUMBERS, *COMPARED), _of(WORD, *COMPARED)
_texts, _objects = _of(TEXTS, *COMPARED), _of(OBJECTS)
OPEN = (*_numbers, *_words, *_texts, *_objects, *PLACE)
"""The open values that are looked at: numbers (those beside the kind first), words, texts, objects, the place."""
BESIDE = len(NUMBERS)
AFTER_NUMBERS = len(_numbers)
AFTER_WORDS = AFTER_NUMBERS + len(_words)
AFTER_TEXTS = AFTER_WORDS + len(_texts)
NUMBER_MARK = 7 * 10**17
"""From here on numbers stand for cut numbers: they are longer than a plain one."""

_texts_of = Decoder(list[str]).decode
_plain_words = re.compile(rb'[^"\\\x00-\x1f]*').fullmatch

Groups = Callable[[Sequence[bytes]], tuple[bytes, ...]]


class Layout(NamedTuple):
    """Which pieces of a line are kept and which are open values in the order of `OPEN`, in lines that go on in such `ways`."""

    ways: int
    kept: Groups
    open: Groups


@cache
def layout(ways: int) -> Layout:
    """The layout of lines whose part n goes on in its second way where bit n of `ways` is set."""
    kept, cuts, at = list[int](), list[int](), 0
    for number, part in enumerate(parts()):
        kept.append(at)
        at += 1
        for role in (part.second if ways >> number & 1 else part.first).roles:
            if role == "k":
                kept.append(at)
            else:
                cuts.append(at)
            at += role != "-"
    return Layout(ways, itemgetter(*kept, at), itemgetter(*[cuts[NAMES.index(name)] for name in OPEN]))


def cut_line(line: bytes) -> tuple[Layout, list[bytes]] | None:
    """The pieces of a line and what they are (b"": a value that was not cut); nothing for a line of another form."""
    pieces: list[bytes] = []
    end, ways, bit = 0, 0, 1
    for begins, gap, first, second, _ in parts():
        at = line.find(begins, end + gap)
        if at < 0:
            return None
        found = first.match(line, at)
        if found is None:
            ways |= bit
            found = second.match(line, at)
            if found is None:
                return None
        pieces.append(line[end:at])
        pieces += found.groups(b"")
        end = found.end()
        bit += bit
    pieces.append(line[end:])
    return layout(ways), pieces


def plain_words(words: tuple[bytes, ...]) -> bool:
    """Do words hold nothing but letters and digits, or at least nothing that ends or escapes a text?"""
    joined = b"".join(words)
    return joined.isalnum() or _plain_words(joined) is not None


def plain_texts(texts: bytes) -> list[str]:
    """The texts of a cut list without a backslash (b"": none was cut). Raises ValueError where it holds anything but texts."""
    return _texts_of(texts) if texts else []


def is_proven(line: bytes, value: dict[str, Any]) -> bool:
    """Are the cuts of a line what their names say?

    Every cut value is replaced, in the text of the line and in what was read from it, by one that no plain value equals: then
    the text must be the one form of the value. `value` is what a strict reading of the line gave.
    """
    spans = _spans(line)
    text, end, other = b"", 0, _copied(value)
    for at, (start, stop) in enumerate(spans):
        if start >= 0:
            text += line[end:start] + _mark(at, other)
            end = stop
    return text + line[end:] == canonical(other)


def _spans(line: bytes) -> list[tuple[int, int]]:
    """Where the open values of a line that was cut begin and end; -1 for a value that was not cut."""
    spans: list[tuple[int, int]] = []
    end = 0
    for begins, gap, _, second, first in parts():
        at = line.find(begins, end + gap)
        way, found = first, first.match(line, at)
        if found is None:
            way, found = second, second.match(line, at)
        if found is None:
            raise ValueError
        group = 0
        for role in way.roles:
            group += role != "-"
            if role != "k":
                spans.append(found.span(group) if role == "c" else (-1, -1))
        end = found.end()
    return spans


def _copied(value: dict[str, Any]) -> dict[str, Any]:
    return {name: dict(one) if isinstance(one, dict) else one for name, one in value.items()}


def _mark(at: int, value: dict[str, Any]) -> bytes:
    """Puts the mark of a cut into the value; gives its text."""
    outer, _, inner = NAMES[at].partition(".")
    holder, name = (value[outer], inner) if inner else (value, outer)
    form, text = FORMS[at], f"\\{at}"
    if form in NUMBER + SELDOM + CLASS + REPEAT:
        holder[name] = NUMBER_MARK + at
        return b"%d" % holder[name]
    if form in TEXTS + NONE + OBJECTS:
        holder[name] = [text]
        return canonical(holder[name])
    holder[name] = holder[name][:DAY] + text if form == TIME else text
    return canonical(text) if form == TASK else canonical(text)[1:-1]
