"""Bytes changed: size of the patch of a pass, median over tasks.

Why it matters: a pass without a byte is no work; a thousand lines for a one-line fix is another thing than one line.

Numerator: passes of the model, as many as the median is of. Denominator: declared draws of the solvable slice. Unit:
bytes, one median a task; type-7 median, interval from order statistics over tasks. Estimand: the median over tasks
like these, among those that pass. Source: METHODS M2.

Bad: a silent no-op that counts as a win. Good: median of 9 passes: 412 bytes, the ranks named.
Fix: keep the patch, or its size.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.quantities import median
from denominator.metrics.reading import Reading
from denominator.metrics.shape import About, Metric
from denominator.records.estimates import Estimate

NAME = "bytes_changed"
ESTIMAND = "size of the patch of a passing task, median over tasks"


def measure(read: Reading) -> Estimate:
    """The median over tasks that passed, with how many passes it is of."""
    values = read.amounts("patch.bytes", lambda draw: draw.exit == "pass" and draw.origin == "MODEL")
    return median(About(NAME, ESTIMAND, "bytes", read), values, read.declared, "nothing passed")


METRIC = Metric(Entry("MT020", NAME, "0.1.0", "metrics", __doc__ or ""), measure)
