"""A slip whose tier is too low for who reads this document.

Why it matters: a number of a box that moved, or of one run alone, is good enough for the team that made it and not for
a customer.

Bad: an internal slip in a public README. Good: an external one there, a quotable one in a deck.
Fix: `slip show` names what would lift the tier; or keep the number out of this document.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.quote.shape import Rule, Said, Sheet, at, cited_slips, short
from denominator.records.documents import Audience
from denominator.records.slips import Tier

LEAST = {Audience.INTERNAL: Tier.INTERNAL, Audience.EXTERNAL: Tier.EXTERNAL, Audience.DECK: Tier.QUOTABLE}
ORDER = tuple(Tier)


def check(sheet: Sheet) -> Iterable[Said]:
    """Every tag, against the audience."""
    least = LEAST[Audience(sheet.audience)]
    for scope, one, slip in cited_slips(sheet):
        tier = slip.tier.tier
        if tier not in ORDER or ORDER.index(Tier(tier)) < ORDER.index(least):
            what = f"slip {short(slip.id)} is {tier}, the audience {sheet.audience} needs {least}"
            why = "; ".join(slip.tier.why)
            yield at(scope, one.tag.start, one.tag.text, f"{what}{f' ({why})' if why else ''}", _fix(slip.tier.lifts))


def _fix(lifts: Iterable[str]) -> str:
    return "; ".join(lifts) or "keep the number out of this document"


RULE = Rule(Entry("Q004", "low-tier", "0.1.0", "quote", __doc__ or ""), check)
