"""pass@k: the chance that at least one of k draws of a task passes, mean over tasks.

Why it matters: it answers "can it be done in k tries by somebody who knows which try is right"; without k it answers
nothing.

Numerator: tasks of which at least one draw passed. Denominator: declared tasks of the solvable slice. Unit: tasks.
The value is that of k = K, the sealed repeats; the parts are every k from 1 to K, each unbiased, k = 1 being the
headline. A draw without a score is no pass. k above K is undefined and in no list. Estimand: tasks like these; Wilson
over tasks at k = K, where each task says yes or no. Source: Chen et al. 2021, 1 - C(n-c,k)/C(n,k).

Bad: 1 - (1 - p)^k with p plugged in; pass@10 from 5 repeats. Good: pass@1 0.600, pass@2 0.800, pass@5 0.900, of 5
repeats.
Fix: as many repeats as the largest k that is asked for.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.curves import curve
from denominator.metrics.reading import Reading
from denominator.metrics.shape import Metric
from denominator.records.estimates import Estimate
from denominator.stats import pass_at_k

NAME = "pass_at_k"
ESTIMAND = "chance that at least one of k draws passes"


def measure(read: Reading) -> Estimate:
    """Of K repeats, for every k up to K."""
    return curve(NAME, ESTIMAND, read, pass_at_k)


METRIC = Metric(Entry("MT038", NAME, "0.1.0", "metrics", __doc__ or ""), measure)
