"""Tokens per solved: all tokens over the passes of the headline, as published scores give it.

Why it matters: it is the form in which others publish; beside their figure only the same form may stand.

Numerator: tokens of every attempt of the solvable slice. Denominator: passes. Unit: tokens per pass. Estimand: the
ratio in this run; tokens per accepted patch has the interval. Null if any usage is unknown or nothing passed. Source:
METHODS M14.

Bad: a missing count taken as 0. Good: "usage of 3 of 88 attempts is unknown".
Fix: record usage of every attempt.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import About, Metric
from denominator.metrics.spending import METHOD, refused, several_sources
from denominator.records.estimates import Estimate
from denominator.records.values import NotMeasured
from denominator.stats import quotient

NAME = "tokens_per_solved_all"
ESTIMAND = "tokens of all attempts per pass"
NO_INTERVAL = NotMeasured("the interval stands with tokens_per_accepted")


def measure(read: Reading) -> Estimate:
    """Total tokens over passes."""
    about, total = About(NAME, ESTIMAND, "tokens per pass", read), read.tally.spend.total
    if (mixed := several_sources(read)) is not None:
        return about.missing(mixed, mixed, read.passes)
    if (why := refused(read, tokens=True)) is not None:
        return about.missing(why, total, read.passes)
    value = quotient(total, read.passes, "nothing passed")
    return about.number(total, read.passes, value, (NO_INTERVAL, NO_INTERVAL), METHOD)


METRIC = Metric(Entry("MT033", NAME, "0.1.0", "metrics", __doc__ or ""), measure, telling=True)
