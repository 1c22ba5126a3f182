"""A tag that leads to no slip: malformed, unknown, ambiguous, without such a metric, or where no reader sees it.

Why it matters: a tag that nobody can follow looks like evidence and is none.

Bad: `slip:ab12` (too short), `<!-- slip:ab12cd34 -->` (stripped by every converter). Good: `[slip:ab12cd34]` in sight.
Fix: copy the tag from `slip show`; name the metric as the slip does (`slip:ab12cd34#resolved_rate`).
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.quote.scopes import Cited, Scope
from denominator.quote.shape import Rule, Said, Sheet, at, number_of, short
from denominator.quote.store import Unfound
from denominator.records.documents import SpanKind

FIX = "copy the tag from denominator slip show"


def check(sheet: Sheet) -> Iterable[Said]:
    """Every tag of the document."""
    for scope in sheet.read.scopes:
        for one in scope.own:
            for what in _wrong(scope, one):
                yield at(scope, one.tag.start, one.tag.text, what, FIX)


def _wrong(scope: Scope, one: Cited) -> Iterable[str]:
    if scope.span.kind == SpanKind.HIDDEN:
        yield "stands in a comment or a hidden element, where no reader sees it and converters drop it"
        return
    for found in (one.found, one.newer):
        if isinstance(found, Unfound):
            if found.kind != "damaged":
                yield f"{found.kind}: {found.why}"
        elif found is not None and number_of(found, one.tag.metric) is None:
            metric = one.tag.metric or found.slip.headline
            yield f"slip {short(found.id)} has no number called {metric}"


RULE = Rule(Entry("Q002", "unusable-tag", "0.1.0", "quote", __doc__ or ""), check)
