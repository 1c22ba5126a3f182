"""A percentage without its k/n in reach, or one of a slip that allows counts only.

Why it matters: 71.4% of 14 and of 14,000 read alike and mean different things.

Bad: "71.4% [slip:ab12cd34]". Good: "71.4% (10/14) [slip:ab12cd34]"; of a handful of tasks just "4/5".
Fix: print k/n in the same sentence, cell, row or caption.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.quote.finding import Kind
from denominator.quote.shape import Rule, Said, Sheet, about, rate_allowed, short, standings
from denominator.records.documents import SpanKind

RATES = (Kind.PERCENT, Kind.RANGE, Kind.WORDS, Kind.DECIMAL, Kind.BARE)


def check(sheet: Sheet) -> Iterable[Said]:
    """Every rate that a tag covers. The values of a chart have no room for counts: its title or caption has."""
    for quote in sheet.read.quotes:
        if quote.seen.kind not in RATES:
            continue
        found = standings(quote.cited)
        few = [short(slip.id) for slip, _ in found if not rate_allowed(slip)]
        if few:
            yield about(quote, f"slip {', '.join(few)} allows counts only", "print k/n and no rate")
        counts = any(isinstance(number.k, int) for _, number in found)
        if counts and not quote.counted and quote.scope.span.kind != SpanKind.CHART and not quote.scope.pairs:
            yield about(quote, "its k/n is not in reach", "print k/n beside it")


RULE = Rule(Entry("Q006", "percent-without-counts", "0.1.0", "quote", __doc__ or ""), check)
