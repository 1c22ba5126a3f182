"""Tokens per solved task: the median over passes of what all attempts of the draw spent, with how many passes it is of.

Why it matters: it says what a typical solved task cost and nothing of the failures; tokens per accepted patch has
those.

Numerator: passes, as many as the median is of. Denominator: declared draws of the solvable slice. Unit: tokens, one
median a task; type 7, interval from order statistics over tasks. Estimand: the median over tasks like these, among
those that pass. Source: METHODS M5 and M9.

Bad: printed as the cost of an accepted patch. Good: "median of 7 passes: 5600 tokens"; tokens per accepted patch
13400.
Fix: record usage of every attempt.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.quantities import median
from denominator.metrics.reading import Reading
from denominator.metrics.shape import About, Metric
from denominator.metrics.spending import refused, several_sources
from denominator.records.estimates import Estimate

NAME = "tokens_per_solved_median"
ESTIMAND = "tokens of a solved task, median over tasks"


def measure(read: Reading) -> Estimate:
    """The median over solved tasks."""
    about = About(NAME, ESTIMAND, "tokens", read)
    if (mixed := several_sources(read)) is not None:
        return about.missing(mixed, read.passes, read.declared)
    if (why := refused(read)) is not None:
        return about.missing(why, read.passes, read.declared)
    return median(about, read.tally.solved, read.declared, "nothing passed")


METRIC = Metric(Entry("MT032", NAME, "0.1.0", "metrics", __doc__ or ""), measure)
