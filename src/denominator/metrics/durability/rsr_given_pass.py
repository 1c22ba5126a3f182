"""Resume success rate over tasks that pass without faults: what the faults cost, not what the agent cannot do.

Why it matters: a task that the agent never solves fails under every fault, and an interrupted failure says nothing
about resuming.

Numerator: interrupted trials of such tasks that end in a correct pass. Denominator: interrupted trials of tasks whose
trials without a fault all passed, at least one. Null with the reason when nothing was interrupted, or when no trial
without a fault was made. Unit: trials, the task as the cluster. Source: METHODS M4.

Bad: a weak agent and a weak journal in one number. Good: "12 of 12, over the 6 tasks that pass without faults".
Fix: run every task without faults too (`faultbench run` does)."""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.durability.shape import About, BenchMetric, not_defined, nothing
from denominator.records.estimates import Estimate
from denominator.records.trials import BenchReading, passed
from denominator.records.values import NotMeasured

NAME = "rsr_given_pass"
ESTIMAND = "a correct pass after resume, given a real interruption and a task that passes without faults"


def measure(read: BenchReading) -> Estimate:
    """The same over tasks that pass without faults."""
    about = About(NAME, ESTIMAND, "interrupted trials", read)
    if (gone := not_defined(about)) is not None:
        return gone
    if not read.interrupted:
        return about.missing(NotMeasured(nothing(read)), 0, 0, 0)
    if not read.plain:
        return about.missing(NotMeasured("no trial without a fault is given"), 0, 0, 0)
    among = [one for one in read.interrupted if one.task_id in read.passing]
    return about.share(among, passed, "no interrupted task is known to pass without faults")


METRIC = BenchMetric(Entry("MT061", NAME, "0.1.0", "metrics", __doc__ or ""), measure, "durability")
