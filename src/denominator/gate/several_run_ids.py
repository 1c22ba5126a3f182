"""All rows come from one run.

Why it matters: a file that holds the best rows of several runs holds no run.

Bad: rows of r1 and r2 under one headline. Good: two cards.
Fix: split the file by run id.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, from_defects
from denominator.records.judgements import Sheet

FIX = "split the rows by run id and judge each run for itself"


def check(sheet: Sheet) -> Iterable[Said]:
    """What the audit or the reader found."""
    return from_defects(sheet, "rows", FIX, "several_run_ids")


RULE = Rule(
    Entry("GL009", "several-run-ids", "0.1.0", "gate", __doc__ or ""),
    check,
    "all rows come from one run",
)
