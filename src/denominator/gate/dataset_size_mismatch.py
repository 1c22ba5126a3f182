"""As many draws have rows as were declared.

Why it matters: the size of the data set is the denominator. A row too few or too many changes it without a word.

Bad: the manifest says 10, the file holds 8. Good: both say 10.
Fix: find the missing rows, or make a new data set under a new name.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, block, note, of_kind
from denominator.records.judgements import Sheet


def check(sheet: Sheet) -> Iterable[Said]:
    """One finding per mismatch that the audit saw, except draws that were allowed not to start."""
    away = [task for task, _, _ in sheet.placed(lambda draw: draw.exit == "never_started", "")]
    allowed = sum(task in sheet.terms.never_started_allowed for task in away)
    missing = sheet.unnamed + len(away)
    for defect in of_kind(sheet, "dataset_size_mismatch"):
        if allowed and allowed == missing:
            yield note("dataset", f"{defect.what}; the rest was allowed not to start", where=defect.where)
        else:
            yield block("dataset", defect.what, "find the missing rows, or declare another data set", defect.where)


RULE = Rule(
    Entry("GL003", "dataset-size-mismatch", "0.1.0", "gate", __doc__ or ""),
    check,
    "as many draws were observed as declared",
)
