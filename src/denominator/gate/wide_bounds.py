"""What could not be scored may not be able to move the rate further than its own interval.

Why it matters: if the unscoreable draws had all passed or all failed, the rate would lie between two bounds. When
those are further apart than the interval, the interval is the smaller half of the uncertainty.

Bad: [0.55, 0.70] printed while 30 % is missing. Good: counts only.
Fix: re-run censored draws under the sealed retry policy.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, counted, note
from denominator.records.judgements import Sheet
from denominator.records.values import NotMeasured


def check(sheet: Sheet) -> Iterable[Said]:
    """The width of the bounds against the width of the interval. No rate is named here: it may be withheld."""
    found, unseen = sheet.estimate("headline"), sheet.estimate("unscoreable_rate")
    if found is None or unseen is None or isinstance(found.lo, NotMeasured) or isinstance(found.hi, NotMeasured):
        return
    if isinstance(unseen.numerator, NotMeasured) or isinstance(unseen.value, NotMeasured):
        return
    if Fraction(unseen.value) > Fraction(found.hi) - Fraction(found.lo):
        draws = counted(unseen.numerator, "unscoreable draw")
        what = f"{draws} could move the rate further than its interval is wide: counts only"
        yield note("bounds", what, "re-run censored draws under the sealed retry policy")


RULE = Rule(
    Entry("GL029", "wide-bounds", "0.1.0", "gate", __doc__ or ""),
    check,
    "the unscoreable draws cannot move the rate further than its interval",
    caps=True,
    reads_split=True,
)
