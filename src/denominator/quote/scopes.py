"""What one tag can reach: a sentence, a cell, a paragraph of a shape, with the numbers and tags in it."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.quote.finding import Seen
from denominator.quote.plain import Plain
from denominator.quote.store import Unfound
from denominator.quote.tags import Tag
from denominator.records.documents import Span, SpanKind
from denominator.records.slips import SlipStanding

DATA = (SpanKind.CELL, SpanKind.CHART)
ELSEWHERE = (*DATA, SpanKind.NOTES, SpanKind.ALT)
"""What Q010 speaks of."""


@dataclass(frozen=True, slots=True)
class Cited:
    """A tag and what the store answers to it; `newer` is the second slip of a pair."""

    tag: Tag
    found: SlipStanding | Unfound
    newer: SlipStanding | Unfound | None = None


@dataclass(frozen=True, slots=True)
class Scope:
    """What one tag can reach: a sentence, or a span as a whole. `own` are the tags in it, `lent` those of row or caption."""

    span: Span
    plain: Plain
    start: int
    end: int
    seen: tuple[Seen, ...]
    own: tuple[Cited, ...]
    rankings: tuple[tuple[int, int, str], ...] = ()

    @property
    def text(self) -> str:
        """Its plain text."""
        return self.plain.text[self.start : self.end]

    @property
    def slips(self) -> tuple[Cited, ...]:
        """Tags of one slip."""
        return tuple(one for one in self.own if not one.tag.pair)

    @property
    def pairs(self) -> tuple[Cited, ...]:
        """Tags of two."""
        return tuple(one for one in self.own if one.tag.pair)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of a character of the scope."""
        return self.span.position(self.plain.origin(self.start + offset))
