"""Canary hit rate: draws of the canary slice in whose patch or log the canary was found.

Why it matters: it is read first. One hit says that the answer or the card leaked, and then no other number means what
it says.

Numerator: draws of the canary slice with a hit. Denominator: those that were searched. Unit: draws of the canary
slice. Estimand: the share in this run. Without a canary task leaks were not tested, which is not 0. Source: METHODS
M12.

Bad: "no leak", because there was no canary. Good: "0 of 2 canary draws hit".
Fix: find how it got there before anything else.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import About, Metric, share_among
from denominator.records.estimates import Estimate
from denominator.records.judgements import JudgedDraw

NAME = "canary_hit_rate"
ESTIMAND = "share of searched canary draws with a hit"


def measure(read: Reading) -> Estimate:
    """Hits over searched draws."""
    about = About(NAME, ESTIMAND, "canary draws", read)
    return share_among(about, _searched, _hit, "canary", "no canary draw was searched")


def _hit(draw: JudgedDraw) -> bool:
    return any(row.canary_hits for row in draw.tries)


def _searched(draw: JudgedDraw) -> bool:
    return any(row.canary_searched is True or row.canary_hits for row in draw.tries)


METRIC = Metric(Entry("MT047", NAME, "0.1.0", "metrics", __doc__ or ""), measure, performance=False)
