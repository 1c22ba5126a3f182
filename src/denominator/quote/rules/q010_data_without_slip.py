"""A rate in a chart, a table cell, a speaker note or an alt text that no slip vouches for.

Why it matters: these are what people copy, and what nobody reads again before a talk.

Bad: a bar of 0.714 without a source. Good: a title or a caption line such as "Table 2: pass rate, 10/14 [slip:ab12cd34]".
Fix: put the tag into the cell, its row, or the caption line of the table or chart (one tag a caption).
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.quote.citing import is_result
from denominator.quote.finding import Kind
from denominator.quote.scopes import ELSEWHERE
from denominator.quote.shape import Rule, Said, Sheet, about

FIX = "put [slip:ID] into the cell, its row, the title or the caption line"


def check(sheet: Sheet) -> Iterable[Said]:
    """Numbers of everything that is not prose."""
    for quote in sheet.read.quotes:
        if quote.cited or quote.seen.kind in (Kind.DELTA, Kind.END) or quote.scope.span.kind not in ELSEWHERE:
            continue
        if is_result(quote, sheet.strict):
            yield about(quote, f"no slip vouches for it ({quote.scope.span.kind})", FIX)


RULE = Rule(Entry("Q010", "data-without-slip", "0.1.0", "quote", __doc__ or ""), check)
