"""A slip that no longer speaks: older than the highest age allowed, superseded in its lineage, or revoked.

Why it matters: models behind one name change, and a table outlives the release that it was made for.

Bad: last year's rate beside this year's version. Good: a slip made since.
Fix: run again and cite the new slip; `[quote] max_age_days` in denominator.toml says how old one may be (0: any age).
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from denominator.catalog import Entry
from denominator.quote.shape import Rule, Said, Sheet, at, cited_slips, short
from denominator.records.slips import SlipStanding


def check(sheet: Sheet) -> Iterable[Said]:
    """Every tag."""
    for scope, one, slip in cited_slips(sheet):
        for what in _stale(slip, sheet.today, sheet.max_age_days):
            yield at(
                scope, one.tag.start, one.tag.text, f"slip {short(slip.id)} {what}", "cite the slip of a later run"
            )


def _stale(slip: SlipStanding, today: str, most: int) -> Iterable[str]:
    if slip.revoked:
        yield f"was revoked: {slip.revoked}"
    if slip.superseded_by:
        yield f"is superseded by {short(slip.superseded_by)}"
    age = _days(slip.slip.made_at, today)
    if most and age is None:
        yield f"says no day on which it was made ({slip.slip.made_at or 'nothing'})"
    elif most and age is not None and age > most:
        yield f"is {age} days old, more than {most}"


def _days(made: str, today: str) -> int | None:
    try:
        return (date.fromisoformat(today) - date.fromisoformat(made[:10])).days
    except ValueError:
        return None


RULE = Rule(Entry("Q005", "stale-slip", "0.1.0", "quote", __doc__ or ""), check)
