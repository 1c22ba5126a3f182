"""What could not be scored may not be able to move the rate further than its own interval.

Why it matters: if the draws without a score (those that the envelope lets stay away included) had all passed or all
failed, the rate would lie between two bounds. When those are further apart than the interval, the interval is the smaller
half of the uncertainty.

Bad: [0.55, 0.70] printed while 30 % is missing. Good: counts only.
Fix: re-run censored draws under the sealed retry policy.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, counted, note
from denominator.records.estimates import Estimate
from denominator.records.judgements import SCORED, Sheet
from denominator.records.values import NotMeasured


def check(sheet: Sheet) -> Iterable[Said]:
    """The width of the bounds against the width of the interval. No rate is named here: it may be withheld."""
    width, bounds = (_width(sheet.estimate(name)) for name in ("headline", "headline_bounds"))
    if width is None or bounds is None or bounds <= width:
        return
    lost = sheet.unnamed + sheet.count(lambda draw: draw.exit not in SCORED)
    what = f"{counted(lost, 'draw')} without a score could move the rate further than its interval is wide: counts only"
    yield note("bounds", what, "re-run censored draws under the sealed retry policy")


def _width(found: Estimate | None) -> Fraction | None:
    if found is None or isinstance(found.lo, NotMeasured) or isinstance(found.hi, NotMeasured):
        return None
    return Fraction(found.hi) - Fraction(found.lo)


RULE = Rule(
    Entry("GL029", "wide-bounds", "0.1.0", "gate", __doc__ or ""),
    check,
    "the draws without a score cannot move the rate further than its interval",
    caps=True,
    hides_value=True,
    reads_split=True,
)
