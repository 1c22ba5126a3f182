"""A number for a deck without a quote reviewer's sign-off.

Why it matters: what customers are shown is read by people who cannot ask back.

Bad: a slide whose slip nobody reviewed. Good: a sign-off after the last verdict.
Fix: `slip signoff` by a quote reviewer, or an audience that needs none.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.quote.shape import Rule, Said, Sheet, at, cited_slips, short
from denominator.records.documents import Audience


def check(sheet: Sheet) -> Iterable[Said]:
    """Every tag of a deck."""
    if sheet.audience != Audience.DECK:
        return
    for scope, one, slip in cited_slips(sheet):
        if not slip.signed_off:
            what = f"no quote reviewer has signed off slip {short(slip.id)}"
            yield at(scope, one.tag.start, one.tag.text, what, f"denominator slip signoff {short(slip.id)}")


RULE = Rule(Entry("Q013", "no-signoff", "0.1.0", "quote", __doc__ or ""), check)
