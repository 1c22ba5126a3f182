"""Headline on these tasks again: the pass rate that endless repeats of exactly these tasks would come to.

Why it matters: "tasks like these" and "these tasks again" are two numbers. More repeats shrink only this one; a
change of the agent on this pack is held against this one, a claim about other tasks never is.

Numerator: passes. Denominator: declared draws of the solvable slice. Unit: draws. Estimand: the mean over endless
repeats of these tasks; it says nothing about other tasks. Within-task error from repeats, so it takes 2 of them, and
with one it is unknown. No repeat differed: no interval, for a width of 0 is not certainty. Source: Miller 2024,
section 3.

Bad: this interval beside a claim about an agent in general. Good: "0.667 [0.594, 0.740] on these 12 tasks, 5
repeats".
Fix: at least 2 repeats, 5 are usual.
"""

from __future__ import annotations

from fractions import Fraction

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import UNEVEN, About, Metric
from denominator.records.estimates import Estimate
from denominator.records.values import NotMeasured
from denominator.stats import rerun

NAME = "headline_these_tasks"
ESTIMAND = "pass rate over endless repeats of these tasks"
METHOD = "mean of task means, within-task error"


def measure(read: Reading) -> Estimate:
    """The mean with its within-task interval."""
    about, declared = About(NAME, ESTIMAND, "draws", read), read.declared
    if read.one_run is not None:
        return about.missing(read.one_run, read.passes, declared)
    found = rerun(read.exits.passes, read.terms.repeats)
    if isinstance(found, NotMeasured) or isinstance(declared, NotMeasured):
        return about.missing(found if isinstance(found, NotMeasured) else UNEVEN, read.passes, declared)
    interval, value = found.interval, Fraction(read.passes, declared)
    why = NotMeasured(interval.reason)
    ends = (why, why) if interval.reason else (interval.lo, interval.hi)
    return about.number(read.passes, declared, value, ends, METHOD)


METRIC = Metric(Entry("MT034", NAME, "0.1.0", "metrics", __doc__ or ""), measure)
