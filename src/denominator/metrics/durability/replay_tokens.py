"""Replay cost in tokens: tokens spent again on work that the journal already knew.

Why it matters: a runner that starts over survives every kill, and pays for it twice.

Numerator: tokens between the last durable row and the point where it was reached again, summed over interrupted trials.
Denominator: interrupted trials. Unit: tokens a trial; interval of a ratio of sums over tasks. Unknown as soon as one
trial did not record it: unknown is never 0. Source: METHODS M4.

Bad: a wall time that is 0 in every row. Good: a sum, its trials, and "not recorded for 2 of 14 trials" where that is so.
Fix: record usage per call, and the clock at every checkpoint."""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.durability.shape import About, BenchMetric, not_defined, nothing
from denominator.records.estimates import Estimate
from denominator.records.trials import BenchReading

NAME = "replay_tokens"
ESTIMAND = "tokens spent again per interrupted trial"


def measure(read: BenchReading) -> Estimate:
    """Sum and mean over interrupted trials."""
    about = About(NAME, ESTIMAND, "tokens", read)
    if (gone := not_defined(about)) is not None:
        return gone
    return about.each(read.interrupted, lambda one: one.replay_tokens, nothing(read))


METRIC = BenchMetric(Entry("MT064", NAME, "0.1.0", "metrics", __doc__ or ""), measure, "durability")
