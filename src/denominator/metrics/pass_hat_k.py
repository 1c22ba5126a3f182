"""pass^k: the chance that all of k draws of a task pass, mean over tasks.

Why it matters: who runs an agent unattended needs every run to pass, not one of them.

Numerator: tasks of which every draw passed. Denominator: declared tasks of the solvable slice. Unit: tasks. The value
is that of k = K, the sealed repeats; the parts are every k from 1 to K, each unbiased, k = 1 being the headline. A
draw without a score is no pass. k above K is undefined and in no list. Estimand: tasks like these; Wilson over tasks
at k = K, where each task says yes or no. Source: Yao et al. 2024, C(c,k)/C(n,k).

Bad: p^k with p plugged in. Good: pass^1 0.600, pass^2 0.300, pass^5 0.100, of 5 repeats.
Fix: as many repeats as the largest k that is asked for.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.curves import curve
from denominator.metrics.reading import Reading
from denominator.metrics.shape import Metric
from denominator.records.estimates import Estimate
from denominator.stats import pass_hat_k

NAME = "pass_hat_k"
ESTIMAND = "chance that all of k draws pass"


def measure(read: Reading) -> Estimate:
    """Of K repeats, for every k up to K."""
    return curve(NAME, ESTIMAND, read, pass_hat_k)


METRIC = Metric(Entry("MT039", NAME, "0.1.0", "metrics", __doc__ or ""), measure)
