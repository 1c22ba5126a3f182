"""Flip rate: how often two repeats of one task end differently, mean over tasks.

Why it matters: it is the noise of one pass. Two runs that differ by less say nothing, and 3 equal repeats do not show
that it is 0.

Numerator: pairs of repeats of one task of which one passed and the other did not. Denominator: pairs of repeats,
K(K-1)/2 a task. Unit: pairs of repeats of the solvable slice. Estimand: twice the mean of p(1-p), at most 0.5, over
tasks like these; Wilson over tasks, and with no flip at all a one-sided upper end. One repeat: unknown. Source:
METHODS M6.

Bad: 0 from one repeat. Good: "20 of 120 pairs: 0.167"; "0 of 36 pairs, at most 0.221".
Fix: repeats; all tasks, not ten of them.
"""

from __future__ import annotations

from collections import Counter

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import About, Metric
from denominator.records.estimates import Estimate
from denominator.records.values import NotMeasured
from denominator.stats import rerun

NAME = "flip_rate"
ESTIMAND = "chance that two repeats of one task end differently"
METHOD = "mean over tasks of 2c(K-c)/(K(K-1)); Wilson over tasks"


def measure(read: Reading) -> Estimate:
    """Differing pairs over all pairs."""
    about, repeats = About(NAME, ESTIMAND, "pairs of repeats", read), read.terms.repeats
    if read.one_run is not None:
        return about.missing(read.one_run, read.one_run, read.one_run)
    passes = read.exits.passes
    found = rerun(passes, repeats)
    if isinstance(found, NotMeasured):
        return about.missing(found, found, found)
    differing = sum(count * (repeats - count) * tasks for count, tasks in Counter(passes).items())
    pairs = len(passes) * repeats * (repeats - 1) // 2
    method = METHOD if found.flip_rate else f"{METHOD.split(';')[0]}; {found.flip_interval.reason}"
    return about.measured(differing, pairs, found.flip_rate, found.flip_interval, method)


METRIC = Metric(Entry("MT035", NAME, "0.1.0", "metrics", __doc__ or ""), measure)
