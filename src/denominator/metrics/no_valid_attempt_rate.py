"""No-valid-attempt rate: tasks that never got one valid answer from the model, over tasks.

Why it matters: a task whose calls all failed says nothing about the agent, however many calls were made.

Numerator: tasks of which no call was valid, those without any attempt included. Denominator: declared tasks of all
slices; where nobody declared them, tasks with an attempt, and the unit says so. Unit: tasks. Estimand: the share of
tasks without a valid attempt in this run. Source: METHODS M9.

Bad: such tasks scored as failures. Good: "1 of 10 tasks without a valid attempt".
Fix: another window, another endpoint.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import NO_TASK, About, Metric
from denominator.records.estimates import Estimate
from denominator.records.values import NotMeasured

NAME = "no_valid_attempt_rate"
ESTIMAND = "share of tasks without one valid call"


def measure(read: Reading) -> Estimate:
    """Tasks without a valid call over tasks."""
    found = read.calls
    if isinstance(found, NotMeasured):
        return About(NAME, ESTIMAND, "tasks", read).missing(found, found, read.all_tasks[0])
    tasks, unit = read.all_tasks
    about = About(NAME, ESTIMAND, unit, read)
    if isinstance(tasks, NotMeasured) or not found.made:
        why = tasks if isinstance(tasks, NotMeasured) else NotMeasured("no call was made")
        return about.missing(why, why, tasks)
    return about.rate(tasks - found.valid, tasks, NO_TASK)


METRIC = Metric(Entry("MT041", NAME, "0.1.0", "metrics", __doc__ or ""), measure, performance=False)
