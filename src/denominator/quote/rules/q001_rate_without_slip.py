"""A rate in running text that no slip vouches for.

Why it matters: a reader cannot ask where the number comes from, and nobody notices when it goes out of date.

Bad: "It solves 71.4% of the tasks." Good: "It solves 71.4% (10/14) [slip:ab12cd34] of the tasks."
Fix: put the tag of its slip into the sentence (`slip show` prints the line to copy), or take the number out.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.quote.citing import is_result
from denominator.quote.finding import Kind
from denominator.quote.scopes import ELSEWHERE
from denominator.quote.shape import Rule, Said, Sheet, about

FIX = "add [slip:ID] to the sentence"


def check(sheet: Sheet) -> Iterable[Said]:
    """Rates and counts of prose; differences are asked for a pair instead."""
    for quote in sheet.read.quotes:
        if quote.cited or quote.seen.kind in (Kind.DELTA, Kind.END) or quote.scope.span.kind in ELSEWHERE:
            continue
        if is_result(quote, sheet.strict):
            yield about(quote, "no slip vouches for it", FIX)


RULE = Rule(Entry("Q001", "rate-without-slip", "0.1.0", "quote", __doc__ or ""), check)
