"""The one shape of every quote rule: a document held against slips in, what is wrong with it out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from denominator.catalog import Entry
from denominator.quote.citing import Quote, Read
from denominator.quote.scopes import Cited, Scope
from denominator.quote.store import Slips
from denominator.records.documents import Document
from denominator.records.slips import Number, SlipStanding
from denominator.records.words import Rung, Severity

NEAR = 500
"""Characters on either side of a number that say which quote it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """What a rule sees. `audience` is the most demanding one that path and document name; `today` is a UTC date."""

    document: Document
    read: Read
    slips: Slips
    audience: str
    today: str
    max_age_days: int = 0
    strict: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One thing that a rule found: what is printed there, what is wrong, where (line 0: a place without lines).

    `first` and `last` are the lines whose change could make or mend it: of the sentence, or of the whole table.
    """

    subject: str
    what: str
    fix: str
    line: int = 0
    column: int = 0
    first: int = 0
    last: int = 0
    table: int = 0
    place: str = ""
    block: int = 0
    context: str = ""
    severity: Severity = Severity.BLOCK


@dataclass(frozen=True, slots=True)
class Rule:
    """A quote rule: its entry in the catalog, and its check."""

    entry: Entry
    check: Callable[[Sheet], Iterable[Said]]


def at(scope: Scope, offset: int, subject: str, what: str, fix: str, severity: Severity = Severity.BLOCK) -> Said:
    """Something about the characters at an offset of a scope."""
    line, column = scope.position(offset)
    last = scope.position(max(0, scope.end - scope.start - 1))[0]
    span = scope.span
    return Said(
        subject=subject,
        what=what,
        fix=fix,
        line=line,
        column=column,
        first=scope.position(0)[0],
        last=last,
        table=span.table,
        place=span.place,
        block=span.block,
        context=" ".join(scope.text[max(0, offset - NEAR) : offset + NEAR].split()),
        severity=severity,
    )


def about(quote: Quote, what: str, fix: str) -> Said:
    """Something about a number."""
    return at(quote.scope, quote.seen.start, quote.seen.text, what, fix)


def cited_slips(sheet: Sheet) -> Iterator[tuple[Scope, Cited, SlipStanding]]:
    """Every tag with a slip behind it, twice for a pair; what is hidden cites nothing."""
    for scope in sheet.read.scopes:
        if scope.span.kind != "hidden":
            for one in scope.own:
                for found in (one.found, one.newer):
                    if isinstance(found, SlipStanding):
                        yield scope, one, found


def standings(cited: Iterable[Cited]) -> list[tuple[SlipStanding, Number]]:
    """The slips behind some tags, each with the number that its tag names."""
    found = []
    for one in cited:
        for slip in (one.found, one.newer):
            number = number_of(slip, one.tag.metric) if isinstance(slip, SlipStanding) else None
            if isinstance(slip, SlipStanding) and number is not None:
                found.append((slip, number))
    return found


def number_of(slip: SlipStanding, metric: str) -> Number | None:
    """The number of a slip by its metric; the headline where a tag names none."""
    wanted = metric or slip.slip.headline
    return next((one for one in slip.slip.numbers if one.metric == wanted), None)


def rate_allowed(slip: SlipStanding) -> bool:
    """Does the gate of this slip allow a rate, or counts only?"""
    return slip.slip.gate.rung not in (Rung.REFUSED, Rung.COUNTS)


def short(slip_id: str) -> str:
    """As documents cite it."""
    return slip_id[:8]
