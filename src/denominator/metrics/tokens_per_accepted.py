"""Tokens per accepted patch (QAP): all tokens over what the checker accepted.

Why it matters: the tokens of failures are paid too. A mean over accepted tasks alone leaves out the most expensive
ones.

Numerator: tokens of every attempt of the solvable slice, whatever came of it (cached ones are part of the prompt,
reasoning of the completion). Denominator: accepted draws. Unit: tokens per accepted patch. Estimand: the ratio over
tasks like these; the interval is log-linearised with t over all declared tasks, and there is none below 5 accepted.
Nothing accepted: no value, at least the total. Some usage unknown: no value, at least what is known. Source: METHODS
M5; Cochran 1977.

Bad: 1000, the mean of the accepted ones. Good: "88000 tokens for 59 accepted: 1491.5"; "null: at least 3000 tokens".
Fix: record usage of every attempt, a gateway in front of the agent does.
"""

from __future__ import annotations

from fractions import Fraction

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import About, Metric
from denominator.metrics.spending import refused, several_sources, unknown_usage
from denominator.records.estimates import Estimate
from denominator.records.values import NotMeasured
from denominator.stats import ratio_of_sums

NAME = "tokens_per_accepted"
ESTIMAND = "tokens of all attempts per accepted patch"
METHOD = "ratio of sums over declared tasks, log-linearised t interval"
LOWER = NotMeasured("only a lower end is known")


def measure(read: Reading) -> Estimate:
    """Total tokens over accepted draws, or the least it can be."""
    about = About(NAME, ESTIMAND, "tokens per accepted patch", read)
    total, accepted = read.tally.spend.total, read.tally.accepted
    nothing_known = read.tally.uncounted == read.tally.attempts
    if (mixed := several_sources(read)) is not None:
        return about.missing(mixed, mixed, accepted)
    if (why := refused(read, tokens=nothing_known)) is not None:
        return about.missing(why, total, accepted)
    if (lost := unknown_usage(read)) is not None:
        least = Fraction(total, accepted or 1)
        return about.number(total, accepted, lost, (least, LOWER), "lower end: tokens that are known, over accepted")
    costs, wins = read.tally.tokens_of, read.tally.accepted_of
    found = ratio_of_sums(costs, wins, repeats=max(wins, default=1) or 1)
    if isinstance(found.value, NotMeasured):
        return about.number(total, accepted, found.value, (found.at_least, LOWER), "lower end: all tokens")
    interval = read.tasks if isinstance(read.tasks, NotMeasured) else found.interval
    ends = (interval, interval) if isinstance(interval, NotMeasured) else (interval.lo, interval.hi)
    return about.number(total, accepted, found.value, ends, METHOD)


METRIC = Metric(Entry("MT027", NAME, "0.1.0", "metrics", __doc__ or ""), measure, telling=True)
