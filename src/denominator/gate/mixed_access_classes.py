"""One access class, one server class and one model behind each name in one set of rows.

Why it matters: a shared free endpoint and a reserved one fail differently, and a name that moved to another model in
the middle of a run names two; their mean describes neither.

Bad: half of the rows on a trial key; `fam-latest` served by two snapshots. Good: two runs, two cards.
Fix: split the rows and run again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, block, listed
from denominator.records.judgements import Sheet

FIX = "split the rows and run again"


def check(sheet: Sheet) -> Iterable[Said]:
    """Distinct values of both classes, and of the model that was served under one name, where they were recorded."""
    for name in ("access_class", "server_class"):
        values = {str(getattr(row, name)) for row in sheet.ledger.rows if isinstance(getattr(row, name), str)}
        if len(values) > 1:
            yield block(name, f"rows of several kinds in one file, {name}: {listed(values)}", FIX)
    for asked, served in sorted(_served(sheet).items()):
        if len(served) > 1:
            told = ", ".join(f"{name} ({count})" for name, count in sorted(served.items()))
            yield block("model", f"{asked or 'one model'} was served by {len(served)} models: {told}", FIX)


def _served(sheet: Sheet) -> dict[str, Counter[str]]:
    """How often which model answered to which name: by calls, or by rows that name one each."""
    found: dict[str, Counter[str]] = {}
    calls = [(call.asked_model, call.served_model) for call in sheet.ledger.calls]
    rows = [(row.asked_model, row.served_models[0]) for row in sheet.ledger.rows if len(row.served_models) == 1]
    for asked, served in calls or rows:
        if isinstance(served, str):
            found.setdefault(asked if isinstance(asked, str) else "", Counter())[served] += 1
    return found


RULE = Rule(
    Entry("GL025", "mixed-access-classes", "0.1.0", "gate", __doc__ or ""),
    check,
    "one access class, one server class and one model behind each name",
)
