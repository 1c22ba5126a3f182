"""A document as spans of text with their places, and the settings of a quote check."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class SpanKind(StrEnum):
    """What a span is. A `hidden` one is a comment that no reader sees: nothing in it is a quote."""

    PROSE = "prose"
    CELL = "table cell"
    CAPTION = "caption"
    CHART = "chart"
    NOTES = "speaker note"
    ALT = "alt text"
    HIDDEN = "hidden"


class Audience(StrEnum):
    """Who reads a document, the least demanding first."""

    INTERNAL = "internal"
    EXTERNAL = "external"
    DECK = "deck"


@dataclass(frozen=True, slots=True)
class Mark:
    """From offset `at` of a span's text on, characters are those at line and column (from 1) of the file."""

    at: int
    line: int
    column: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Text that is read as one: a paragraph, a cell, a paragraph of a shape, a value of a chart, an alt text.

    `place` is where it stands when there are no lines; `unit` what a reader sees at once (a slide, a page). Spans of one
    `block` belong together; those of one `table` (from 1) share a caption, `row` is their row, `column` (from 1; 0: unknown)
    the first of `width` columns, and a `head` names its columns (the row on top; the name of a series). `context` is what names the
    numbers in it: head of the column, title of the slide, series of a chart. With `whole` its tags cover all of it, else
    a sentence. `percent` says that a chart formats its value as a percentage.
    """

    text: str
    kind: str = SpanKind.PROSE
    marks: tuple[Mark, ...] = ()
    place: str = ""
    unit: str = ""
    block: int = 0
    table: int = 0
    row: int = 0
    column: int = 0
    width: int = 1
    head: bool = False
    context: str = ""
    whole: bool = False
    percent: bool = False

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of a character; zeros where there are no lines."""
        index = bisect_right([mark.at for mark in self.marks], offset) - 1
        if index < 0:
            return (0, 0)
        mark = self.marks[index]
        return mark.line, mark.column + offset - mark.at


@dataclass(frozen=True, slots=True)
class Unread:
    """What the reader could not look into: an image, a page without text. `about` is what is said of it."""

    what: str
    about: str = ""
    place: str = ""
    line: int = 0
    context: str = ""


@dataclass(frozen=True, slots=True)
class Definition:
    """A link definition of Markdown: its label, where it leads, its tooltip, its line."""

    label: str
    target: str
    title: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What a reader found. `skipped` counts what was passed over on purpose, by name; `audience` is what it says itself."""

    form: str
    spans: tuple[Span, ...]
    skipped: Mapping[str, int] = field(default_factory=dict)
    unread: tuple[Unread, ...] = ()
    audience: str = ""
    definitions: tuple[Definition, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteIgnore:
    """`[[quote.ignore]]`: rules that are not asked in some files, and why."""

    paths: str
    rules: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteSettings:
    """`[quote]` of denominator.toml. `audiences`: a glob of paths -> audience; `max_age_days` 0: no age is too high."""

    audiences: Mapping[str, str] = field(default_factory=dict)
    max_age_days: int = 90
    slips: str = ""
    ignore: tuple[QuoteIgnore, ...] = ()
