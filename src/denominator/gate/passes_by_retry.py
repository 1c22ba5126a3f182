"""Above a retry rate of 0.20 the sentence says that passes were reached by retries.

Why it matters: a rate that retries carried is a property of the retry policy.

Bad: 0.667 without a word. Good: 0.667, "passes were reached by retries in 2 of 3 draws". The threshold is a
convention.
Fix: none; or fewer retries.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, above, note
from denominator.records.judgements import Sheet
from denominator.records.values import NotMeasured


def check(sheet: Sheet) -> Iterable[Said]:
    """The retry rate against the convention."""
    found = sheet.estimate("retry_rate")
    if found is not None and isinstance(found.value, NotMeasured):
        yield note("retry_rate", f"the retry rate is not known: {found.value.not_measured}")
    elif found is not None and above(found.numerator, found.denominator, "0.20"):
        what = f"retry_rate {found.numerator} of {found.denominator} is above 0.20: the sentence has to say so"
        yield note("retry_rate", what, "fewer retries, or keep the words")


RULE = Rule(
    Entry("GL033", "passes-by-retry", "0.1.0", "gate", __doc__ or ""),
    check,
    "the retry rate is at most 0.20",
)
