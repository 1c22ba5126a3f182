"""One model snapshot behind each name inside one run.

Why it matters: a name that moved to another model in the middle of a run names two, and the rate over both describes
neither. What a manifest says was asked for proves nothing; what the responses say was served does.

Bad: `fam-latest` answered as fam-0801 in three attempts and as fam-0915 in two. Good: a dated snapshot, and the same
one on every answer.
Fix: ask for a snapshot, split the rows by what was served, and run again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, block
from denominator.records.judgements import Sheet

FIX = "ask for a dated snapshot, split the rows by what was served, and run again"


def check(sheet: Sheet) -> Iterable[Said]:
    """Every asked name that more than one model answered to."""
    for asked, served in sorted(_served(sheet).items()):
        if len(served) > 1:
            told = ", ".join(f"{name} ({count})" for name, count in sorted(served.items()))
            what = f"mixed model_snapshot inside one run: {asked or 'one model'} was served by {len(served)} models: {told}"
            yield block("model_snapshot", what, FIX)


def _served(sheet: Sheet) -> dict[str, Counter[str]]:
    """How often which model answered to which name: by calls, or by rows; a row that names two counts for both."""
    found: dict[str, Counter[str]] = {}
    named = (call for call in sheet.ledger.calls if isinstance(call.served_model, str))
    calls = [(call.asked_model, call.served_model, 1) for call in named]
    rows = ((row.asked_model, name, many) for row, many in sheet.rows() for name in dict.fromkeys(row.served_models))
    for asked, served, many in calls or rows:
        if isinstance(served, str):
            found.setdefault(asked if isinstance(asked, str) else "", Counter())[served] += many
    return found


RULE = Rule(
    Entry("GL039", "mixed-models", "0.1.0", "gate", __doc__ or ""),
    check,
    "one model behind each name",
)
