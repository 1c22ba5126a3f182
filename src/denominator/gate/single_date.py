"""A result has its dates, and one date is one draw of the weather.

Why it matters: endpoints, caches and quotas differ between days, and a name can move to another model overnight. What
was seen on one date was seen on one date.

Bad: "measured in March". Good: "on 2026-03-01 and 2026-03-08 (UTC)", or the tag single_date.
Fix: run again on another day under the same envelope (`denominator replay`), at least 24 hours later.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.known import dates_of
from denominator.gate.shape import Rule, Said, note
from denominator.records.judgements import Sheet


def check(sheet: Sheet) -> Iterable[Said]:
    """The UTC dates of the rows, or of the manifest."""
    dates = dates_of(sheet)
    if not dates:
        yield note("dates", "on which UTC dates it ran is not recorded", "record a UTC time stamp with every row")
    elif len(dates) == 1:
        yield note("single_date", f"single_date: every row started on {dates[0]} (UTC)", "run again on another day")


RULE = Rule(
    Entry("GL045", "single-date", "0.1.0", "gate", __doc__ or ""),
    check,
    "rows started on two UTC dates or more",
)
