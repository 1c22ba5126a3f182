"""Acceptance: declared draws of which the checker accepted some attempt.

Why it matters: it is what the tokens bought. Over the tasks that have rows it would grow with every task that is
lost.

Numerator: draws of the solvable slice with an accepted attempt, whichever. Denominator: its declared draws. Unit:
draws. Estimand: the share over tasks like these, with all the attempts that were made. Never the headline. Withheld
where draws did not get their attempts (a cap, a spent account, never started) and where a person or a model accepts.
Source: METHODS M5.

Bad: 4 of 8, because the cap ended before task 9. Good: "censored: 4 of 10 declared draws did not get all their
attempts".
Fix: a cap that the whole plan fits into.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import NO_DRAW, About, Metric
from denominator.metrics.spending import refused
from denominator.records.estimates import Estimate

NAME = "acceptance"
ESTIMAND = "share of declared draws of which some attempt was accepted"


def measure(read: Reading) -> Estimate:
    """Accepted over declared draws."""
    about = About(NAME, ESTIMAND, "draws", read)
    if (why := refused(read)) is not None:
        return about.missing(why, read.tally.accepted, read.declared)
    return about.suite(read.tally.accepted_of, NO_DRAW)


METRIC = Metric(Entry("MT024", NAME, "0.1.0", "metrics", __doc__ or ""), measure)
