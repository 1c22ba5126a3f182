"""First complete pass rate: tasks whose first completed attempt passed.

Why it matters: "first attempt" and "first completed attempt" differ when transport fails; only the second says
something about the agent. The retry rate belongs in the same sentence.

Numerator: tasks of the solvable slice whose first repeat's first completed attempt is a pass. Denominator: its
declared tasks.

Bad: a red first attempt and a green second one counted as a first-try pass. Good: 2 of 3, retry rate 2 of 3.
Fix: none; quote it with the retry rate.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import About, Metric
from denominator.records.estimates import Estimate

NAME = "first_complete_pass_rate"
ESTIMAND = "share of declared tasks whose first completed attempt passed"


def measure(read: Reading) -> Estimate:
    """Tasks passed at the first completed attempt over declared tasks."""
    passes = read.first_passes
    return About(NAME, ESTIMAND, "tasks", read).rate(passes, read.tasks, "no solvable task was declared")


METRIC = Metric(Entry("MT013", NAME, "0.1.0", "metrics", __doc__ or ""), measure)
