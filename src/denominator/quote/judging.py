"""One document held against slips: findings, and how many of each thing were looked for and seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from denominator.quote.citing import Quote, is_result, read
from denominator.quote.finding import LOOKED_FOR, Kind
from denominator.quote.ignoring import by_path, comments_of, matches, suppressed
from denominator.quote.rules import RULES
from denominator.quote.scopes import DATA
from denominator.quote.shape import Said, Sheet
from denominator.quote.store import Slips
from denominator.records.documents import Audience, Document, QuoteSettings, SpanKind
from denominator.records.findings import Finding

ORDER = tuple(Audience)
MALFORMED = ("Q002", "unusable-tag")
PLACES = (SpanKind.CHART, SpanKind.CELL, SpanKind.NOTES, SpanKind.ALT)


@dataclass(frozen=True, slots=True)
class Noted:
    """A finding of one document: the rule, and what it said."""

    code: str
    name: str
    path: str
    said: Said

    @property
    def where(self) -> str:
        """`README.md:6:18`, or `deck.pptx slide 4 "Title 1"`."""
        if self.said.line:
            return f"{self.path}:{self.said.line}:{self.said.column}"
        return f"{self.path} {self.said.place}".rstrip()

    @property
    def line(self) -> str:
        """`README.md:6:18 Q003 62% - slip ab12cd34 says 10/14 = 71.4% (headline)`."""
        return f"{self.where} {self.code} {' '.join(self.said.subject.split())} - {self.said.what}"

    @property
    def finding(self) -> Finding:
        """As the formats of other tools take it: a file and a line, or a place."""
        said = self.said
        where = f"{self.path}:{said.line}" if said.line else self.where
        return Finding(
            code=self.code,
            allow_name=self.name,
            severity=str(said.severity),
            subject=" ".join(said.subject.split()),
            what=f"{' '.join(said.subject.split())} - {said.what}",
            where=where,
            fix=said.fix,
        )


@dataclass(frozen=True, slots=True)
class Checked:
    """A document that was checked: findings in the order of the text, `seen` by kind, `skipped` by name, what was held back."""

    path: str
    audience: str
    noted: tuple[Noted, ...]
    seen: Mapping[str, int]
    skipped: Mapping[str, int]
    ignored: int


def check_document(
    path: str, document: Document, slips: Slips, settings: QuoteSettings, today: str, *, strict: bool = False
) -> Checked:
    """Ask every rule about a document. `path` is relative to the settings' folder, `today` a UTC date (ISO)."""
    found = read(document, slips)
    sheet = Sheet(
        document=document,
        read=found,
        slips=slips,
        audience=audience_of(path, document, settings),
        today=today,
        max_age_days=settings.max_age_days,
        strict=strict,
    )
    comments, wrong = comments_of(document)
    noted = [Noted(*MALFORMED, path, said) for said in wrong]
    ignored, tables = 0, _tables(document)
    for rule in RULES:
        for said in rule.check(sheet):
            held = suppressed(rule.entry.code, said, comments) or by_path(path, rule.entry.code, settings.ignore)
            ignored += held
            noted += [] if held else [Noted(rule.entry.code, rule.entry.name, path, _reaching(said, tables))]
    skipped = Counter(document.skipped)
    skipped["URLs"] += found.urls
    return Checked(path, sheet.audience, _ordered(noted), _seen(sheet), dict(skipped), ignored)


def audience_of(path: str, document: Document, settings: QuoteSettings) -> str:
    """The most demanding of what the document says, what the settings say of its path, and deck for slides.

    Where nobody says anything a document is external.
    """
    said = [audience for glob, audience in settings.audiences.items() if matches(path, glob)]
    said += [document.audience] if document.audience in ORDER else []
    if not said:
        return Audience.DECK if document.form == "pptx" else Audience.EXTERNAL
    return max(said, key=lambda one: ORDER.index(Audience(one)))


def _tables(document: Document) -> dict[int, tuple[int, int]]:
    """First and last line of every table with its caption: a tag in one line speaks for numbers in another."""
    found: dict[int, tuple[int, int]] = {}
    for span in document.spans:
        if span.table and span.marks:
            first, last = found.get(span.table, (span.marks[0].line, span.marks[-1].line))
            found[span.table] = (min(first, span.marks[0].line), max(last, span.marks[-1].line))
    return found


def _reaching(said: Said, tables: Mapping[int, tuple[int, int]]) -> Said:
    first, last = tables.get(said.table, (said.first, said.last))
    return replace(said, first=first, last=last)


def _ordered(noted: list[Noted]) -> tuple[Noted, ...]:
    """In the order of the text; the same thing once."""
    unique = {(one.code, one.said): one for one in noted}
    return tuple(sorted(unique.values(), key=lambda one: (one.said.line, one.said.column, one.said.block, one.code)))


def _seen(sheet: Sheet) -> dict[str, int]:
    """Numbers by kind, those that must be vouched for, those under a tag, and those in charts, cells, notes, alt texts."""
    seen = dict.fromkeys(LOOKED_FOR, 0)
    seen |= {"results": 0, "under a tag": 0} | {f"in {kind}s": 0 for kind in PLACES}
    seen |= {"rankings": 0, "tags": 0, "images": sum(one.what == "image" for one in sheet.document.unread)}
    for quote in sheet.read.quotes:
        _count(quote, seen, sheet.strict)
    for scope in sheet.read.scopes:
        seen["tags"] += len(scope.own)
        seen["rankings"] += len(scope.rankings)
    return seen


def _count(quote: Quote, seen: dict[str, int], strict: bool) -> None:
    seen[str(quote.seen.kind)] += 1
    seen["results"] += is_result(quote, strict) and quote.seen.kind != Kind.END
    seen["under a tag"] += bool(quote.cited)
    kind = quote.scope.span.kind
    if kind in (*DATA, SpanKind.NOTES, SpanKind.ALT):
        seen[f"in {kind}s"] += 1
