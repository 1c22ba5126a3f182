"""Double application: trials in which an effect was performed twice.

Why it matters: a patch that is applied twice can pass its tests and still leave a broken tree; a migration that runs
twice is damage. Digests in a journal do not show it: a runner that loses its row writes none the second time.

Numerator: trials in which one workspace received an effect more than once without a reset, within one attempt or again
by a later one; counted on the artifact. Denominator: trials under a fault (kinds that interrupt nothing included). Of a
foreign journal, which holds digests only: attempts of a task with two different digests of an applied patch for one
(task, attempt, checkpoint), over all trials; the same digest again is a replay, a declared new attempt with another patch
is neither. Unknown as soon as effects of one trial were not counted. Unit: trials, the task as the cluster.
Source: METHODS M4, DURABILITY.

Bad: grouped by (task, checkpoint), so that a second attempt counts. Good: "0 of 14 [0.000, 0.215]".
Fix: intent with both digests before the effect, rename, then the row."""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.durability.shape import About, BenchMetric
from denominator.records.estimates import Estimate
from denominator.records.trials import BenchReading, doubled
from denominator.records.values import NotMeasured

NAME = "double_apply_rate"
ESTIMAND = "an effect performed twice on one workspace, per trial under a fault"


def measure(read: BenchReading) -> Estimate:
    """Trials with a double application."""
    about = About(NAME, ESTIMAND, "trials", read)
    if (why := read.undefined) is not None:
        return about.missing(why, 0, 0, 0)
    unknown = [one for one in read.durable if isinstance(doubled(one), NotMeasured)]
    if unknown:
        seen = sum(doubled(one) is True for one in read.durable)
        why = NotMeasured(f"effects were not counted in {len(unknown)} of {len(read.durable)} trials")
        return about.missing(why, seen, len(read.durable), 0)
    return about.share(read.durable, lambda one: doubled(one) is True, "there is no trial under a fault")


METRIC = BenchMetric(Entry("MT062", NAME, "0.1.0", "metrics", __doc__ or ""), measure, "durability")
