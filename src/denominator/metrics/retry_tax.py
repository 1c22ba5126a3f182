"""Retry tax: tokens of attempts that did not give the accepted patch, over all tokens.

Why it matters: it is the part of the bill that no rate of accepted tasks shows.

Numerator: tokens of every attempt but the accepted ones: the retry overhead and the dead spend together. Denominator:
all tokens of the solvable slice. Unit: tokens. Estimand: the share in this run; no interval is stated. Withheld where
usage is unknown, where draws did not get their attempts, and where a person or a model accepts. Source: METHODS M5.

Bad: 0 when nothing was accepted. Good: 29000 of 88000; 1 when nothing was accepted.
Fix: none in the metric; fewer attempts, or tasks that fail sooner.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import About, Metric
from denominator.metrics.spending import token_share
from denominator.records.estimates import Estimate

NAME = "retry_tax"
ESTIMAND = "tokens of attempts that did not give the accepted patch, as a share of all tokens"


def measure(read: Reading) -> Estimate:
    """A share of all tokens."""
    return token_share(
        About(NAME, ESTIMAND, "share of tokens", read), read.tally.spend.overhead + read.tally.spend.dead
    )


METRIC = Metric(Entry("MT028", NAME, "0.1.0", "metrics", __doc__ or ""), measure, telling=True)
