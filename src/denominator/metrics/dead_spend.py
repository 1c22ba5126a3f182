"""Dead spend: tokens of draws that were never accepted, over all tokens.

Why it matters: it is the part of the bill that no rate of accepted tasks shows.

Numerator: tokens of every attempt of draws without an accepted one. Denominator: all tokens of the solvable slice.
Unit: tokens. Estimand: the share in this run; no interval is stated. Withheld where usage is unknown, where draws did
not get their attempts, and where a person or a model accepts. Source: METHODS M5.

Bad: left out, because these tasks "did not count". Good: 26000 of 88000; with the retry overhead it makes the retry
tax.
Fix: none in the metric; fewer attempts, or tasks that fail sooner.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import About, Metric
from denominator.metrics.spending import token_share
from denominator.records.estimates import Estimate

NAME = "dead_spend"
ESTIMAND = "tokens of draws that were never accepted, as a share of all tokens"


def measure(read: Reading) -> Estimate:
    """A share of all tokens."""
    return token_share(About(NAME, ESTIMAND, "share of tokens", read), read.tally.spend.dead)


METRIC = Metric(Entry("MT030", NAME, "0.1.0", "metrics", __doc__ or ""), measure, telling=True)
