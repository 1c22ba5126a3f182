"""Invalid call rate: model calls that gave no valid answer, over calls that were really made.

Why it matters: the sealed ceiling applies to this one. Dividing by the calls that would have been allowed hides
half of them.

Numerator: calls that were answered by 429, 5xx, a timeout or nothing usable. Denominator: calls made. Unit: calls,
all slices.

Bad: 4 invalid over 30 allowed. Good: 4 invalid over 14 made.
Fix: another window, another endpoint, or a higher ceiling declared before the run.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import About, Metric
from denominator.records.estimates import Estimate
from denominator.records.values import NotMeasured

NAME = "invalid_call_rate"
ESTIMAND = "share of model calls made that gave no valid answer"


def measure(read: Reading) -> Estimate:
    """Invalid calls over calls made."""
    about = About(NAME, ESTIMAND, "calls", read)
    made, invalid = 0, 0
    for draw in read.sheet.draws:
        for row in draw.tries:
            if isinstance(row.usage.calls, NotMeasured):
                why = NotMeasured("calls were not recorded")
                return about.missing(why, why, why)
            made += row.usage.calls
            invalid += sum(row.invalid_calls.values())
    return about.rate(invalid, made, "no call was made")


METRIC = Metric(Entry("MT010", NAME, "0.1.0", "metrics", __doc__ or ""), measure, performance=False)
