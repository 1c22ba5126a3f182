"""Re-run noise: within how much two fresh single passes over these tasks stay of each other, 95 times in 100.

Why it matters: a difference below it is what running the same thing twice does.

Numerator: tasks of which some repeats passed and others did not. Denominator: tasks. Unit: difference of two pass
rates. The value is 1.96 * sqrt(2) * sd of one pass, at most 1; the parts are that sd and the error of the mean of all repeats.
Estimand: these tasks again. One repeat: unknown. No repeat differed: no value, because a spread of 0 is not
certainty; the flip rate's upper end says what may be left. Source: STATISTICS 3.1.

Bad: "two matching runs, so it is stable". Good: "0.231: a fresh pass may come out up to 23 points away".
Fix: repeats, and all tasks.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import About, Metric, parts
from denominator.records.estimates import Estimate
from denominator.records.values import NotMeasured
from denominator.stats import rerun

NAME = "rerun_noise"
ESTIMAND = "spread of two fresh single passes over these tasks"
WIDTH = NotMeasured("it is itself the half-width of an interval")
METHOD = "1.96 * sqrt(2) * sd of one pass, from within-task differences"


def measure(read: Reading) -> Estimate:
    """The spread, the sd of one pass and the error of the mean."""
    about = About(NAME, ESTIMAND, "difference of two pass rates", read)
    if read.one_run is not None:
        return about.missing(read.one_run, read.one_run, read.one_run)
    repeats, tasks = read.terms.repeats, len(read.exits)
    found = rerun(read.exits.passes, repeats)
    mixed = sum(tasks for passes, tasks in Counter(read.exits.passes).items() if 0 < passes < repeats)
    if isinstance(found, NotMeasured):
        return about.missing(found, mixed, tasks)
    if not mixed:
        return about.missing(NotMeasured(found.interval.reason), mixed, tasks)
    by = parts((("sd_single_pass", found.sd_single_pass), ("se_of_mean", found.se)))
    return replace(about.number(mixed, tasks, min(1.0, found.spread95), (WIDTH, WIDTH), METHOD), by=by)


METRIC = Metric(Entry("MT036", NAME, "0.1.0", "metrics", __doc__ or ""), measure)
