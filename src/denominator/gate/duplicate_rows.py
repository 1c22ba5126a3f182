"""The same row may be written twice; it still counts once.

Why it matters: writers that append at least once repeat rows, and a repeated row must be neither a second draw nor
a second try.

Bad: 4 rows, so n = 4. Good: 3 exits, one exact repeat reported.
Fix: none needed; make the writer idempotent.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, from_defects
from denominator.records.judgements import Sheet

FIX = "none needed; the repeat counts once"


def check(sheet: Sheet) -> Iterable[Said]:
    """What the audit or the reader found."""
    return from_defects(sheet, "rows", FIX, "duplicate_rows", "error_rows_superseded")


RULE = Rule(
    Entry("GL006", "duplicate-rows", "0.1.0", "gate", __doc__ or ""),
    check,
    "no row was written twice",
)
