"""Retry overhead: tokens of the failed attempts of draws that were accepted in the end, over all tokens.

Why it matters: it is the part of the bill that no rate of accepted tasks shows.

Numerator: tokens of attempts that were not accepted, of draws with an accepted one. Denominator: all tokens of the
solvable slice. Unit: tokens. Estimand: the share in this run; no interval is stated. Withheld where usage is unknown,
where draws did not get their attempts, and where a person or a model accepts. Source: METHODS M5.

Bad: divided by the tokens of accepted tasks, so that it does not add up with the dead spend. Good: 3000 of 88000;
with the dead spend it makes the retry tax.
Fix: none in the metric; fewer attempts, or tasks that fail sooner.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import About, Metric
from denominator.metrics.spending import token_share
from denominator.records.estimates import Estimate

NAME = "retry_overhead"
ESTIMAND = "tokens of the failed attempts of draws that were accepted in the end, as a share of all tokens"


def measure(read: Reading) -> Estimate:
    """A share of all tokens."""
    return token_share(About(NAME, ESTIMAND, "share of tokens", read), read.tally.spend.overhead)


METRIC = Metric(Entry("MT029", NAME, "0.1.0", "metrics", __doc__ or ""), measure, telling=True)
