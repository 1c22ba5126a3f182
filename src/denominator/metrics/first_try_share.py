"""First-try share: accepted draws whose first attempt was the accepted one.

Why it matters: it says how much of what was accepted needed no second try.

Numerator: draws accepted at attempt 1. Denominator: accepted draws. Unit: accepted draws of the solvable slice.
Estimand: the share among accepted draws of tasks like these; nothing accepted has
none; with repeats the task is the unit. Source: METHODS M5.

Bad: 0 when nothing was accepted. Good: 56 of 59; "nothing was accepted".
Fix: none; quote it with the retry tax.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import About, Metric, share_among
from denominator.metrics.spending import refused
from denominator.records.estimates import Estimate
from denominator.records.judgements import JudgedDraw

NAME = "first_try_share"
ESTIMAND = "share of accepted draws whose first attempt was accepted"
NOTHING = "nothing was accepted"


def measure(read: Reading) -> Estimate:
    """First tries over accepted draws."""
    about = About(NAME, ESTIMAND, "accepted draws", read)
    first, accepted = read.tally.first, read.tally.accepted
    if (why := refused(read)) is not None:
        return about.missing(why, first, accepted)
    if read.terms.repeats <= 1:
        return about.rate(first, accepted, NOTHING)
    return share_among(about, _accepted, _first, "solvable", NOTHING)


def _accepted(draw: JudgedDraw) -> bool:
    return "pass" in draw.outcomes


def _first(draw: JudgedDraw) -> bool:
    return draw.tries[draw.outcomes.index("pass")].key.attempt == 1


METRIC = Metric(Entry("MT026", NAME, "0.1.0", "metrics", __doc__ or ""), measure, telling=True)
