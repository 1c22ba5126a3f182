"""A last line that was cut while it was written is kept aside and reported with its byte offset.

Why it matters: the process died there. Appending after the torn bytes would spoil two rows; counting the row as
done would lose a task.

Bad: the reader stops at the torn line, or skips it silently. Good: three rows kept, tail at byte 318 reported, the
fourth task open.
Fix: resume the run; the torn attempt starts again.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, from_defects
from denominator.records.judgements import Sheet

FIX = "resume the run; the torn attempt is not done"


def check(sheet: Sheet) -> Iterable[Said]:
    """What the audit or the reader found."""
    return from_defects(sheet, "rows", FIX, "torn_tail")


RULE = Rule(
    Entry("GL008", "torn-tail", "0.1.0", "gate", __doc__ or ""),
    check,
    "no line was cut at the end of a file",
)
