"""Tags of a table: what a row, the head of a column, the name of a series or a caption lends to the numbers that it names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from denominator.quote.finding import Kind
from denominator.quote.scopes import Cited, Scope
from denominator.quote.words import EVAL, RATE
from denominator.records.documents import Span, SpanKind

Place = tuple[str, int, int]
"""`row`, `column` or `caption`, the table, and which row or column."""


class Lending:
    """Tags that reach further than their scope: of a cell without numbers over its row, of a head over its column or series,
    of a caption over its table.

    A caption with two tags lends none, nor do a row and a column with different ones: nobody could say which a number is of.
    """

    def __init__(self, scopes: Iterable[Scope]) -> None:
        self._tags: dict[Place, list[Cited]] = {}
        self._counted: set[Place] = set()
        for one in scopes:
            if one.span.table:
                self._keep(one)

    def _keep(self, one: Scope) -> None:
        span, table = one.span, one.span.table
        caption = span.kind == SpanKind.CAPTION
        places: list[Place] = [("caption", table, 0)] if caption else [("row", table, span.row)]
        if span.head and span.column and _names(one):
            places += [("column", table, span.column + more) for more in range(span.width)]
        for place in places:
            if any(seen.kind == Kind.FRACTION and seen.n for seen in one.seen):
                self._counted.add(place)
            if place[0] != "row" or not one.seen:
                self._tags.setdefault(place, []).extend(one.slips)

    def to(self, scope: Scope) -> tuple[Cited, ...]:
        """The tag that the table lends to a cell: of its row or column, else of its caption."""
        span = scope.span
        if not span.table or span.kind == SpanKind.CAPTION:
            return ()
        row, column, caption = (self._tags.get(place, []) for place in _places(span))
        own = [*row, *([] if span.head else column)]
        for given in (own, [] if span.head else self._beside(scope), caption):
            if len(_distinct(given)) == 1:
                return (given[0],)
            if given:
                return ()
        return ()

    def _beside(self, scope: Scope) -> list[Cited]:
        """The counts of a rate stand in the column next to it, and are its own."""
        span, counts = scope.span, all(one.kind == Kind.FRACTION for one in scope.seen)
        sides = [("column", span.table, span.column + step) for step in (-1, 1)] if span.column and counts else []
        return next((self._tags[place] for place in sides if self._tags.get(place)), [])

    def counted(self, span: Span) -> bool:
        """Does row, head or caption hold a k/n?"""
        return bool(span.table) and not self._counted.isdisjoint(_places(span))


def _places(span: Span) -> tuple[Place, Place, Place]:
    return ("row", span.table, span.row), ("column", span.table, span.column), ("caption", span.table, 0)


def _names(head: Scope) -> bool:
    """Does a cell on top name its column? One with a rate of its own is a row of a table without a head."""
    words = EVAL.search(head.text) or RATE.search(head.text)
    return all(one.kind == Kind.FRACTION for one in head.seen) and bool(words or not head.seen)


def _distinct(cited: Sequence[Cited]) -> set[tuple[str, str]]:
    return {(one.tag.id, one.tag.metric) for one in cited}
