"""Median wall time of the attempts that count.

Why it matters: it sets timeouts. On a shared host it does nothing else: it is no property of the agent.

Numerator: started draws, as many as the median is of. Denominator: declared draws of the solvable slice. Unit: ms,
one median a task; type 7, interval from order statistics over tasks. Estimand: the median over tasks like these on
this host. Draws that a limit ended are cut off there and are in it: the parts count them. Source: METHODS M14.

Bad: quoted as the speed of a model. Good: "p50 61 s [48 s, 80 s] of 20 draws, 2 cut off".
Fix: a host of one's own, the same window for both arms.
"""

from __future__ import annotations

from dataclasses import replace

from denominator.catalog import Entry
from denominator.metrics.quantities import median
from denominator.metrics.reading import Reading
from denominator.metrics.shape import About, Metric, parts
from denominator.records.estimates import Estimate

NAME = "wall_median"
ESTIMAND = "wall time of a draw, median over tasks"


def measure(read: Reading) -> Estimate:
    """The median over started draws, and how many of them were cut off."""
    values = read.amounts("wall_ms", lambda _: True)
    found = median(About(NAME, ESTIMAND, "ms", read), values, read.declared, "nothing was started")
    cut = read.count(lambda draw: draw.failure_class == "timeout")
    return replace(found, by=parts((("cut_off", cut),))) if cut and isinstance(found.value, str) else found


METRIC = Metric(Entry("MT054", NAME, "0.1.0", "metrics", __doc__ or ""), measure, performance=False)
