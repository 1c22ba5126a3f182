"""Headline bounds: the pass rate had every draw without a score failed, and had every one passed.

Why it matters: censoring is rarely independent of difficulty, so a rate over the scored draws may be off either way;
these ends are not.

Numerator: passes. Denominator: declared draws of the solvable slice; draws without a score, never started ones
included, are what lies between the ends. Unit: draws. Estimand: the rate that was really there in this run; there is
no one value, only the two ends. Source: Manski 1989.

Bad: "0.784" from 29 of 37. Good: "between 29 and 32 of 40: 0.725 to 0.800".
Fix: fewer draws without a score.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import NO_DRAW, About, Metric
from denominator.records.estimates import Estimate
from denominator.records.values import NotMeasured
from denominator.stats import manski

NAME = "headline_bounds"
ESTIMAND = "pass rate of this run, whatever the draws without a score would have been"
NO_VALUE = NotMeasured("two ends, no value: the draws without a score decide it")
METHOD = "every draw without a score failed, or every one passed (Manski 1989)"


def measure(read: Reading) -> Estimate:
    """The worst and the best case over declared draws."""
    about, declared = About(NAME, ESTIMAND, "draws", read), read.declared
    if isinstance(declared, NotMeasured) or declared <= 0:
        return about.rate(read.passes, declared, NO_DRAW)
    bounds = manski(read.passes, read.unseen, declared)
    return about.number(read.passes, declared, NO_VALUE, (bounds.lo, bounds.hi), METHOD)


METRIC = Metric(Entry("MT021", NAME, "0.1.0", "metrics", __doc__ or ""), measure)
