"""Invalid task rate: tasks of which at least one model call gave no valid answer, over tasks.

Why it matters: 4 invalid calls of 14 may have touched one task or four; the rate of calls does not say which.

Numerator: tasks with an invalid call. Denominator: declared tasks of all slices; where nobody declared them, tasks
with an attempt, and the unit says so. Unit: tasks. Estimand: the share of tasks touched in this run. It has no
ceiling; the rate of calls has. Source: METHODS M9.

Bad: called "the invalid rate". Good: "3 of 10 tasks touched; 4 of 14 calls".
Fix: another window, another endpoint.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import NO_TASK, About, Metric
from denominator.records.estimates import Estimate
from denominator.records.values import NotMeasured

NAME = "invalid_task_rate"
ESTIMAND = "share of tasks of which some call gave no valid answer"


def measure(read: Reading) -> Estimate:
    """Touched tasks over tasks."""
    found = read.calls
    if isinstance(found, NotMeasured):
        return About(NAME, ESTIMAND, "tasks", read).missing(found, found, read.all_tasks[0])
    tasks, unit = read.all_tasks
    return About(NAME, ESTIMAND, unit, read).rate(found.touched, tasks, NO_TASK)


METRIC = Metric(Entry("MT040", NAME, "0.1.0", "metrics", __doc__ or ""), measure, performance=False)
