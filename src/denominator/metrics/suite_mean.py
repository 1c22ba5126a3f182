"""The mean of task rates: every task counts once, however often it was drawn.

Numerator: the sum over tasks of passes / declared draws of that task, which is no count. Denominator: declared tasks
of the solvable slice. Unit: tasks. Estimand: the pass rate of a task like these, drawn at random. Interval: Wilson on
the effective number of draws, t-adjusted (STATISTICS 3.1). With the same number of repeats for every task it is the
headline; where a source ran some tasks more often than others it is another number, and both are printed.

Why it matters: 366 of 802 runs passed, and 53 % of a task's runs do on average: a task that was run 96 times weighs 24
times as much in the first number as one that was run 4 times.

Bad: to print one of the two without saying which. Good: both, each with its denominator.
Fix: declare the same number of repeats for every task.
"""

from __future__ import annotations

from dataclasses import replace

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import NO_TASK, TASK_MEANS, About, Metric
from denominator.records.estimates import Estimate
from denominator.records.values import NotMeasured
from denominator.stats import uneven_mean

NAME = "suite_mean"
EVEN = NotMeasured("repeats are even: it is the headline")
NO_COUNT = NotMeasured("a sum of rates is no count")
ESTIMAND = "mean pass rate of tasks like these"


def measure(read: Reading) -> Estimate:
    """Every task's rate, averaged over tasks."""
    about, tasks = About(NAME, ESTIMAND, "tasks", read), read.tasks
    if isinstance(tasks, NotMeasured):
        return about.missing(tasks, tasks, tasks)
    if read.sheet.unnamed or len(read.exits) < 2:
        why = "there is only one task" if len(read.exits) == 1 and not read.sheet.unnamed else NO_TASK
        known = NotMeasured("the ids of some declared tasks are not known") if read.sheet.unnamed else NotMeasured(why)
        return about.missing(known, known, tasks)
    if read.even or read.terms.repeats <= 1:
        return about.missing(EVEN, EVEN, tasks)
    found = uneven_mean(read.exits.passes, read.exits.draws)
    ends = (found.interval.lo, found.interval.hi)
    return replace(about.number(0, tasks, found.mean, ends, TASK_MEANS), numerator=NO_COUNT)


METRIC = Metric(Entry("MT059", NAME, "0.1.0", "metrics", __doc__ or ""), measure)
