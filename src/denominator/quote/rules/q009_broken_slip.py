"""A slip whose bytes are not those of its id, or whose raw output or bundle is no longer what it pinned.

Why it matters: such a slip pins nothing: it says today what it did not say when it was cited.

Bad: a slip or a ledger edited by hand. Good: both as they were written. A raw output that is not there accuses nobody.
Fix: restore slip and raw output from where they were kept; `verify` names what differs.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.quote.shape import Rule, Said, Sheet, at, cited_slips, short
from denominator.quote.store import Unfound

FIX = "restore it from where it was kept"


def check(sheet: Sheet) -> Iterable[Said]:
    """Every tag."""
    for scope in sheet.read.scopes:
        for one in scope.own:
            for found in (one.found, one.newer):
                if isinstance(found, Unfound) and found.kind == "damaged":
                    yield at(scope, one.tag.start, one.tag.text, f"damaged: {found.why}", FIX)
    for scope, one, slip in cited_slips(sheet):
        for what in sheet.slips.bundle_problems(slip):
            yield at(scope, one.tag.start, one.tag.text, f"what slip {short(slip.id)} pins: {what}", FIX)


RULE = Rule(Entry("Q009", "broken-slip", "0.1.0", "quote", __doc__ or ""), check)
