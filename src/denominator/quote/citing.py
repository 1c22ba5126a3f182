"""A document as quotes: every number with the tags that cover it, and the slips these name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from denominator.quote.finding import Kind, Seen, numbers_in
from denominator.quote.lending import Lending
from denominator.quote.plain import Plain, plain
from denominator.quote.scopes import DATA, Cited, Scope
from denominator.quote.sentences import sentences
from denominator.quote.store import Slips, Unfound
from denominator.quote.tags import Tag, tags_in
from denominator.quote.words import EVAL, RANKING
from denominator.records.documents import Document, Span, SpanKind
from denominator.records.slips import SlipStanding


@dataclass(frozen=True, slots=True)
class Quote:
    """One number, the scope it stands in, and the tags that cover it (none: nobody vouches for it)."""

    seen: Seen
    scope: Scope
    cited: tuple[Cited, ...]
    counted: bool


@dataclass(frozen=True, slots=True)
class Read:
    """A document as rules see it."""

    scopes: tuple[Scope, ...]
    quotes: tuple[Quote, ...]
    urls: int


def read(document: Document, slips: Slips) -> Read:
    """Numbers and tags of a document, held together."""
    known: dict[str, SlipStanding | Unfound] = {}

    def find(prefix: str) -> SlipStanding | Unfound:
        if prefix not in known:
            known[prefix] = slips.find(prefix)
        return known[prefix]

    def cite(tag: Tag) -> Cited:
        if not tag.id:
            return Cited(tag, Unfound("malformed", "a tag is slip: and 8 to 64 hex digits"))
        return Cited(tag, find(tag.id), find(tag.other) if tag.other else None)

    spans = [(span, plain(span.text)) for span in document.spans]
    scopes = tuple(scope for span, text in spans for scope in _scopes(span, text, cite))
    lending = Lending(scopes)
    quotes = tuple(quote for scope in scopes if scope.span.kind != SpanKind.HIDDEN for quote in _quotes(scope, lending))
    return Read(scopes, quotes, sum(text.urls for _, text in spans))


def _scopes(span: Span, text: Plain, cite: object) -> Iterator[Scope]:
    whole = span.whole or span.kind in DATA
    for start, end in [(0, len(text.text))] if whole else sentences(text.text):
        part = text.text[start:end]
        seen = () if span.kind == SpanKind.HIDDEN else numbers_in(part, span.context, span.kind in DATA)
        own = tuple(cite(tag) for tag in tags_in(part))  # type: ignore[operator]
        yield Scope(
            span, text, start, end, seen, own, tuple((m.start(), m.end(), m[0]) for m in RANKING.finditer(part))
        )


def _quotes(scope: Scope, lending: Lending) -> Iterator[Quote]:
    lent = () if scope.slips else lending.to(scope)
    counts = any(seen.kind == Kind.FRACTION and seen.n for seen in scope.seen)
    span = scope.span
    counted = counts or lending.counted(span)
    first = min((seen.start for seen in scope.seen), default=0)
    leading = bool(scope.slips) and scope.slips[0].tag.start < first
    for seen in scope.seen:
        yield Quote(seen, scope, lent or _nearest(scope.slips, seen, leading) or scope.pairs, counted)


def _nearest(tags: tuple[Cited, ...], seen: Seen, leading: bool) -> tuple[Cited, ...]:
    """Of several tags the next one behind the number, else the last one; where a tag leads the sentence, the one before."""
    before = [one for one in tags if one.tag.end <= seen.start]
    behind = [one for one in tags if one.tag.start >= seen.end]
    order = (before[-1:], behind[:1]) if leading else (behind[:1], before[-1:])
    return tuple(order[0] or order[1])


def is_result(quote: Quote, strict: bool) -> bool:
    """Must somebody vouch for it? A number that words call a result; with `strict` every percentage and difference."""
    percent = quote.seen.kind in (Kind.PERCENT, Kind.DELTA)
    return (
        quote.seen.result
        or (strict and percent)
        or (quote.scope.span.percent and quote.scope.span.kind == SpanKind.CHART)
    )


def speaks_of_results(scope: Scope) -> bool:
    """Does the scope speak of results: a rate in it, a tag, or a word such as pass rate?"""
    words = EVAL.search(RANKING.sub(" ", scope.text)) or EVAL.search(scope.span.context)
    return bool(scope.own or words or any(one.result and one.kind != Kind.END for one in scope.seen))
