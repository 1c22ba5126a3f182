"""Headline by cluster: the headline with families of tasks as the unit.

Why it matters: tasks from one repository or family rise and fall together; counted as independent they make the
interval too short.

Numerator: passes. Denominator: declared draws of the solvable slice. Unit: draws; N is the number of clusters (a
sealed family, else the one that a column of a foreign row names; a task without one is a cluster of its own, and a
stratum is no family). Estimand: the pass rate over families like
these; Wilson on the effective number of draws, t with clusters - 1. No task shares a family: nothing to say beside
the headline. Source: Miller 2024, section 2.2; Kish 1965.

Bad: 40 tasks from 5 repositories, with the interval of 40. Good: "0.650 [0.302, 0.890], 5 clusters".
Fix: tasks from more repositories.
"""

from __future__ import annotations

from dataclasses import replace

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import NO_DRAW, UNEVEN, About, Metric
from denominator.records.estimates import Estimate
from denominator.records.values import NotMeasured
from denominator.stats import clustered_mean

NAME = "headline_by_cluster"
ESTIMAND = "pass rate over families of tasks like these"
ALONE = NotMeasured("no two tasks name one family")
METHOD = "mean of task means; Wilson on effective draws between clusters, t-adjusted"


def measure(read: Reading) -> Estimate:
    """The headline's value with an interval between clusters."""
    about, declared = About(NAME, ESTIMAND, "draws", read), read.declared
    if isinstance(declared, NotMeasured) or declared <= 0:
        return about.rate(read.passes, declared, NO_DRAW)
    families = read.families
    if not families:
        return about.missing(ALONE, read.passes, declared)
    names = [families.get(task) or (task,) for task in read.solvable.names(range(len(read.exits)))]
    groups = len(set(names))
    if groups == len(names):
        return about.missing(ALONE, read.passes, declared)
    if groups < 2 or not read.even:
        why = UNEVEN if groups > 1 else NotMeasured("every task is of one family, which has no spread")
        return replace(about.missing(why, read.passes, declared), n_tasks=groups)
    found = clustered_mean(read.exits.passes, read.terms.repeats, names)
    return replace(about.measured(read.passes, declared, found.mean, found.interval, METHOD), n_tasks=groups)


METRIC = Metric(Entry("MT037", NAME, "0.1.0", "metrics", __doc__ or ""), measure)
