"""What was sealed still holds: pack, grader, box, rules.

Why it matters: a test that was edited between the seal and the last attempt has graded two different experiments.

Bad: the verify script changed mid-run. Good: the digests agree at the start and at the end.
Fix: make a new seal and a new run; a seal is never edited.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, block, of_kind
from denominator.records.judgements import Sheet

FIX = "make a new seal and a new run"


def check(sheet: Sheet) -> Iterable[Said]:
    """Changed digests, as the run or the loader saw them."""
    for what in sorted(sheet.terms.changed):
        yield block("seal", f"changed since the seal: {what}", FIX)
    for defect in of_kind(sheet, "changed_seal"):
        if defect.what not in sheet.terms.changed:
            yield block("seal", defect.what, FIX, defect.where)


RULE = Rule(
    Entry("GL016", "changed-seal", "0.1.0", "gate", __doc__ or ""),
    check,
    "every sealed digest still holds",
)
