"""Total tokens: what all attempts of the solvable slice spent, accepted or not.

Why it matters: it is the bill, and the least that a patch can have cost when nothing was accepted.

Numerator: attempts whose usage is known. Denominator: started attempts. Unit: tokens; the value is their sum, prompt
with cached tokens and completion with reasoning. Estimand: a total of this run. Controls, warm-ups and probes are
apart. It says nothing about who passed, so it stays when a number is withheld. Source: METHODS M5.

Bad: unknown usage added as 0. Good: "usage of 3 of 88 attempts is unknown (at least 85000 tokens)".
Fix: record usage of every attempt.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import About, Metric
from denominator.metrics.spending import several_sources, unknown_usage
from denominator.records.estimates import Estimate
from denominator.records.values import NotMeasured

NAME = "total_tokens"
ESTIMAND = "tokens of all attempts of the solvable slice"
NO_INTERVAL = NotMeasured("a total of this run")


def measure(read: Reading) -> Estimate:
    """The sum, or the least it can be."""
    about, total = About(NAME, ESTIMAND, "tokens", read), read.tally.attempts
    counted = total - read.tally.uncounted
    if (why := several_sources(read)) is not None:
        return about.missing(why, counted, total)
    if (why := unknown_usage(read)) is not None:
        least = read.tally.spend.total if counted else why
        return about.number(counted, total, why, (least, why), "lower end: tokens that are known" if counted else "")
    return about.number(counted, total, read.tally.spend.total, (NO_INTERVAL, NO_INTERVAL), "sum over attempts")


METRIC = Metric(Entry("MT031", NAME, "0.1.0", "metrics", __doc__ or ""), measure, performance=False)
