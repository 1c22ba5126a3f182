"""Invalid call rate: model calls that gave no valid answer, over calls that were really made.

Why it matters: the sealed ceiling applies to this one. Dividing by the calls that would have been allowed hides
half of them.

Numerator: calls that were answered by 429, 5xx, a timeout or nothing usable. Denominator: calls made. Unit: calls,
all slices. The parts count the invalid ones by class: rate_limited (429), server_error (5xx), no_answer (timed out or
lost), malformed, other_4xx.

Bad: 4 invalid over 30 allowed. Good: 4 invalid over 14 made.
Fix: another window, another endpoint, or a higher ceiling declared before the run.
"""

from __future__ import annotations

from dataclasses import replace

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import About, Metric, parts
from denominator.records.estimates import Estimate
from denominator.records.values import NotMeasured

CALLS = NotMeasured("calls were not recorded")
NAME = "invalid_call_rate"
ESTIMAND = "share of model calls made that gave no valid answer"


def measure(read: Reading) -> Estimate:
    """Invalid calls over calls made."""
    about, made = About(NAME, ESTIMAND, "calls", read), read.calls_made
    if isinstance(read.calls, NotMeasured) or isinstance(made, NotMeasured):
        return about.missing(CALLS, CALLS, CALLS)
    found = about.rate(read.calls.invalid, made, "no call was made")
    return replace(found, by=parts(sorted(read.calls.classes.items())))


METRIC = Metric(Entry("MT010", NAME, "0.1.0", "metrics", __doc__ or ""), measure, performance=False)
