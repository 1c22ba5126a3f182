"""Headline: passes over declared draws of the solvable slice.

Why it matters: every other denominator can be made smaller by losing rows. This one was sealed before the run.

Numerator: draws whose counting attempt is a pass. Denominator: declared draws (tasks x repeats) of the solvable
slice. Estimand: the pass rate over tasks like these, one draw each. One repeat: Wilson. K repeats: mean of task
means, Wilson on the effective number of draws, t-adjusted.

Bad: 16/18 = 0.889 because two rows errored. Good: 16/20 = 0.800 [0.584, 0.919], 2 unscoreable.
Fix: nothing to fix in the metric; rows that are missing are listed by the gate.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import NO_DRAW, About, Metric
from denominator.records.estimates import Estimate

NAME = "headline"
ESTIMAND = "pass rate over declared draws of the solvable slice"


def measure(read: Reading) -> Estimate:
    """Passes over declared draws."""
    about = About(NAME, ESTIMAND, "draws", read, secondary=False)
    return about.suite(read.exits.passes, NO_DRAW)


METRIC = Metric(Entry("MT001", NAME, "0.1.0", "metrics", __doc__ or ""), measure, secondary=False)
