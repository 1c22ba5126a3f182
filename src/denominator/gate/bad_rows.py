"""Every row can be read, strictly; nothing is skipped.

Why it matters: a skipped row is a smaller denominator. NaN, Infinity, duplicate keys and booleans in the place of
counts are not numbers.

Bad: `"wall_clock_s": NaN` is read as a number, or its row is left out. Good: the line and the key are named and
nothing is printed.
Fix: repair the named lines at their source and read them again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, from_defects
from denominator.records.judgements import Sheet

FIX = "repair the rows at their source and read them again"
ELSEWHERE = frozenset(
    (
        "dataset_size_mismatch",
        "foreign_rows",
        "conflicting_rows",
        "duplicate_rows",
        "error_rows_superseded",
        "torn_tail",
        "several_run_ids",
        "strata_do_not_sum",
        "undeclared_retries",
        "post_lock_exclusion",
        "changed_seal",
        "unknown_state",
        "limits_differ",
        "armed_failpoints",
    )
)


def check(sheet: Sheet) -> Iterable[Said]:
    """One finding per defect that no other rule speaks about; past a limit of one kind the rest in one line."""
    kinds = dict.fromkeys(defect.kind for defect in sheet.defects if defect.kind not in ELSEWHERE)
    for kind in kinds:
        for said in from_defects(sheet, "rows", FIX, kind):
            named = said.what.startswith((kind, kind.replace("_", " ")))
            yield replace(said, what=said.what if named else f"{kind}: {said.what}")


RULE = Rule(
    Entry("GL007", "bad-rows", "0.1.0", "gate", __doc__ or ""),
    check,
    "every row could be read",
)
