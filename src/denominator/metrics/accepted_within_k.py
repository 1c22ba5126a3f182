"""Accepted within k: declared draws accepted by their k-th attempt at the latest; k is what the envelope allows.

Why it matters: a second try that nobody mentions turns 56 of 72 into 59. With k it is a number of its own, and two
arms are compared at equal k only.

Numerator: draws of the solvable slice with an accepted attempt whose number is at most k. Denominator: its declared
draws. Unit: draws. Estimand: the share over tasks like these, k attempts each. Never the headline. Source: METHODS
MC.

Bad: "0.819" under the name of the first attempt. Good: "59 of 72 accepted within 2 attempts; headline 56 of 72".
Fix: declare how many attempts a draw may have.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import NO_DRAW, About, Metric
from denominator.metrics.spending import refused
from denominator.records.estimates import Estimate
from denominator.records.values import NotMeasured

NAME = "accepted_within_k"
UNDECLARED = NotMeasured("how many attempts a draw may have was not declared")


def measure(read: Reading) -> Estimate:
    """Accepted within the declared number of attempts, over declared draws."""
    k = read.terms.attempts
    tries = "1 attempt" if k == 1 else f"{k} attempts" if k > 0 else "k attempts"
    about = About(NAME, f"share of declared draws accepted within {tries}", "draws", read)
    counts = read.tally.within_of
    why = refused(read)
    if k <= 0 and why is None:
        why = UNDECLARED
    if why is not None:
        return about.missing(why, sum(counts), read.declared)
    return about.suite(counts, NO_DRAW)


METRIC = Metric(Entry("MT025", NAME, "0.1.0", "metrics", __doc__ or ""), measure)
