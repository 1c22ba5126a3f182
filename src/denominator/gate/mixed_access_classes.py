"""One access class and one server class in one set of rows.

Why it matters: a shared free endpoint and a reserved one fail differently; their mean describes neither.

Bad: half of the rows on a trial key. Good: two runs, two cards.
Fix: split the rows and run again.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, block, listed
from denominator.records.judgements import Sheet

FIX = "split the rows and run again"


def check(sheet: Sheet) -> Iterable[Said]:
    """Distinct values of both classes, where they were recorded."""
    for name in ("access_class", "server_class"):
        values = {str(getattr(row, name)) for row, _ in sheet.rows() if isinstance(getattr(row, name), str)}
        if len(values) > 1:
            yield block(name, f"rows of several kinds in one file, {name}: {listed(values)}", FIX)


RULE = Rule(
    Entry("GL025", "mixed-access-classes", "0.1.0", "gate", __doc__ or ""),
    check,
    "one access class and one server class",
)
