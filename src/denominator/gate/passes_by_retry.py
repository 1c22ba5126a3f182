"""Above the sealed ceiling of the retry rate the sentence says that passes were reached by retries.

Why it matters: a rate that retries carried is a property of the retry policy.

Bad: 0.667 without a word. Good: 0.667, "passes were reached by retries in 2 of 3 draws". The ceiling is
`ceilings.retry_rate`, 0.20 by convention.
Fix: none; or fewer retries.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, above, note
from denominator.records.judgements import Sheet
from denominator.records.values import NotMeasured


def check(sheet: Sheet) -> Iterable[Said]:
    """The retry rate against its ceiling; a lower bound that is above it already is above it."""
    found, ceiling = sheet.estimate("retry_rate"), sheet.terms.retry_ceiling
    if found is None:
        return
    least = "at least " if isinstance(found.value, NotMeasured) else ""
    if above(found.numerator, found.denominator, ceiling):
        what = f"retry_rate is {least}{found.numerator} of {found.denominator}, above {ceiling}: the sentence says so"
        yield note("retry_rate", what, "fewer retries, or keep the words")
    elif isinstance(found.value, NotMeasured):
        yield note("retry_rate", f"the retry rate is not known: {found.value.not_measured}")


RULE = Rule(
    Entry("GL033", "passes-by-retry", "0.1.0", "gate", __doc__ or ""),
    check,
    "the retry rate is not above its ceiling",
    reads_rates=True,
)
