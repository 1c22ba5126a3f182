"""Headline outer interval: from the lower end of the worst case to the upper end of the best case.

Why it matters: the bounds say what this run may have been, the interval says what chance does; a claim has to hold
for both together.

Numerator: passes. Denominator: declared draws of the solvable slice. Unit: draws. Estimand: the pass rate over tasks
like these, whatever the draws without a score would have been; no one value. Source: STATISTICS section 0.

Bad: the interval of the scored draws alone. Good: "[0.572, 0.895] over 40 declared, 3 without a score".
Fix: fewer draws without a score, then more tasks.
"""

from __future__ import annotations

from operator import add

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import NO_DRAW, UNEVEN, About, Metric
from denominator.records.estimates import Estimate
from denominator.records.values import NotMeasured
from denominator.stats import outer_interval, repeat_mean

NAME = "headline_outer"
ESTIMAND = "pass rate over tasks like these, whatever the draws without a score would have been"
NO_VALUE = NotMeasured("two ends, no value: the draws without a score decide it")
METHOD = "lower end of the worst case, upper end of the best case"


def measure(read: Reading) -> Estimate:
    """Wilson's outer ends; with repeats those of the two means of task means."""
    about, declared = About(NAME, ESTIMAND, "draws", read), read.declared
    if isinstance(declared, NotMeasured) or declared <= 0:
        return about.rate(read.passes, declared, NO_DRAW)
    if read.terms.repeats <= 1:
        outer = outer_interval(read.passes, read.unseen, declared)
        return about.number(read.passes, declared, NO_VALUE, (outer.lo, outer.hi), METHOD)
    if not read.even:
        return about.missing(UNEVEN, read.passes, declared)
    worst = repeat_mean(read.exits.passes, read.terms.repeats)
    best = repeat_mean(list(map(add, read.exits.passes, read.exits.unseen)), read.terms.repeats)
    ends = (worst.interval.lo, best.interval.hi)
    return about.number(read.passes, declared, NO_VALUE, ends, METHOD)


METRIC = Metric(Entry("MT022", NAME, "0.1.0", "metrics", __doc__ or ""), measure)
