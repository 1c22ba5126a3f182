"""Resume success rate: of the trials that were really interrupted, those that end in a correct pass after resume.

Why it matters: a runner that is killed must come back to the same result. Trials that were not interrupted, and
trials that never came back, both make a rate look good when they leave it.

Numerator: interrupted trials that end in a correct pass; a manual edit is a failure, and so is a trial without an end.
Denominator: trials under a fault that really interrupted them, as the bench saw it and not as the runner's row says.
Null with the reason when nothing was interrupted. Kinds that interrupt nothing (slow, clock_jump), controls and
single-shot tasks are apart. Unit: trials, the task as the cluster. `by` counts those without a
verdict and the rate if all of them had passed. Source: METHODS M4.

Bad: 1.0 or 0.0 with the faults off. Good: "14 of 14 interrupted trials [0.785, 1.000]".
Fix: none in the metric; plan faults that are reached (the table by fault says which were)."""

from __future__ import annotations

from dataclasses import replace

from denominator.catalog import Entry
from denominator.metrics.durability.shape import About, BenchMetric, not_defined, nothing
from denominator.records.estimates import Estimate
from denominator.records.trials import BenchReading, passed
from denominator.records.values import NotMeasured
from denominator.stats import decimal6, manski

NAME = "rsr"
ESTIMAND = "a correct pass after resume, given a real interruption"


def measure(read: BenchReading) -> Estimate:
    """Correct passes over interrupted trials."""
    about = About(NAME, ESTIMAND, "interrupted trials", read)
    if (gone := not_defined(about)) is not None:
        return gone
    found = about.share(read.interrupted, passed, nothing(read))
    return with_unseen(found, sum(isinstance(one.ended, NotMeasured) for one in read.interrupted))


def with_unseen(found: Estimate, unseen: int) -> Estimate:
    """What trials without a verdict could change: they count as lost, and the best case stands beside (Manski)."""
    k, n = found.numerator, found.denominator
    if not unseen or not isinstance(k, int) or not isinstance(n, int):
        return found
    best = manski(k, unseen, n).hi
    return replace(found, by=(("without_verdict", str(unseen)), ("if_all_passed", decimal6(best))))


METRIC = BenchMetric(Entry("MT060", NAME, "0.1.0", "metrics", __doc__ or ""), measure, "durability")
