"""When time or budget cut an attempt, the sentence says so and does not call it a bad patch.

Why it matters: a truncated attempt shows a limit, not an ability.

Bad: cut attempts listed as wrong patches. Good: "2 of 20 were cut by their budget".
Fix: raise one budget, record it, run again.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, note
from denominator.records.judgements import Sheet
from denominator.records.values import NotMeasured


def check(sheet: Sheet) -> Iterable[Said]:
    """Any truncation at all."""
    found = sheet.estimate("truncation_rate")
    if found is None or isinstance(found.numerator, NotMeasured):
        return
    least = "at least " if isinstance(found.value, NotMeasured) else ""
    if found.numerator:
        of = f"of {found.denominator} " if isinstance(found.denominator, int) else ""
        what = f"{least}{found.numerator} {of}first attempts were cut by time or budget"
        yield note("truncation_rate", what, "raise one budget, record it, run again")
    elif isinstance(found.value, NotMeasured):
        yield note("truncation_rate", f"how many attempts were cut is not known: {found.value.not_measured}")


RULE = Rule(
    Entry("GL034", "cut-attempts", "0.1.0", "gate", __doc__ or ""),
    check,
    "no first attempt was cut by time or budget",
    reads_rates=True,
)
