"""Time to first green: from the first prompt to the end of the verification that passed, median over tasks.

Why it matters: a pass after forty minutes and one after two are both one pass.

Numerator: passes of the model, as many as the median is of. Denominator: declared draws of the solvable slice. Unit:
ms, one median a task; type-7 median, interval from order statistics over tasks. Estimand: the median over tasks like
these, among those that pass. Source: METHODS M2.

Bad: the mean, with failures at the cap inside it. Good: median of 9 passes, 41 s [30 s, 66 s], the ranks named.
Fix: record when the passing verification ended.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.quantities import median
from denominator.metrics.reading import Reading
from denominator.metrics.shape import About, Metric
from denominator.records.estimates import Estimate

NAME = "time_to_first_green"
ESTIMAND = "time to the first green of a passing task, median over tasks"


def measure(read: Reading) -> Estimate:
    """The median over tasks that passed, with how many passes it is of."""
    values = read.amounts("time_to_first_green_ms", lambda draw: draw.exit == "pass" and draw.origin == "MODEL")
    return median(About(NAME, ESTIMAND, "ms", read), values, read.declared, "nothing passed")


METRIC = Metric(Entry("MT019", NAME, "0.1.0", "metrics", __doc__ or ""), measure)
