"""All rows come from one run.

Why it matters: a file that holds the best rows of several runs holds no run.

Bad: rows of r1 and r2 under one headline. Good: two cards.
Fix: split the file by run id.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, block, of_kind
from denominator.records.judgements import Sheet

FIX = "split the rows by run id and judge each run for itself"


def check(sheet: Sheet) -> Iterable[Said]:
    """One finding per defect."""
    for defect in of_kind(sheet, "several_run_ids"):
        yield block("rows", defect.what, FIX, defect.where)


RULE = Rule(
    Entry("GL009", "several-run-ids", "0.1.0", "gate", __doc__ or ""),
    check,
    "all rows come from one run",
)
