"""Tipping count: how many failures among the draws without a score overturn what a sealed clause demands of the
headline.

Why it matters: "3 unscoreable of 40" says little; "one failure among them and the clause is broken" says whether to
look.

Numerator: draws without a score. Denominator: declared draws of the solvable slice. Unit: draws; the value is a count
of draws. Estimand: a property of this run. A count overturns a claim, so it needs one: the strictest `at_least` that
a sealed clause names for the headline (its value, its lower end with one repeat, or its passes). Without such a
clause there is nothing to overturn: a threshold of ours would be a claim that nobody made. 0 says that the clause
fails even had all of them passed. Source: STATISTICS 1.2, point 10.

Bad: "16 of 18, robust". Good: "2 more failures among the 3 draws without a score and the clause at least 0.75 is
broken".
Fix: seal a clause before the run; fewer draws without a score.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import NO_DRAW, About, Metric
from denominator.records.envelopes import Clause
from denominator.records.estimates import Estimate
from denominator.records.values import NotMeasured
from denominator.stats import tipping_count, wilson

NAME = "tipping_count"
ESTIMAND = "failures among the draws without a score that break the strictest sealed clause on the headline"
NO_CLAUSE = NotMeasured("no sealed clause names a least headline, so there is nothing to overturn")
METHOD = "smallest number of failures that breaks the clause"
ONE_SIDED = NotMeasured("a count, no estimate of anything outside this run")


def measure(read: Reading) -> Estimate:
    """The smallest count, or why no count overturns anything."""
    about, declared = About(NAME, ESTIMAND, "draws", read), read.declared
    if isinstance(declared, NotMeasured) or declared <= 0:
        return about.rate(read.unseen, declared, NO_DRAW)
    needed = [found for one in read.terms.clauses if (found := _needed(one, read, declared)) is not None]
    if not needed:
        return about.missing(NO_CLAUSE, read.unseen, declared)
    count = tipping_count(read.passes, read.unseen, declared, Fraction(max(needed) - 1, declared))
    value = NotMeasured("no number of failures among them breaks the clause") if count is None else count
    return about.number(read.unseen, declared, value, (ONE_SIDED, ONE_SIDED), METHOD)


def _needed(clause: Clause, read: Reading, declared: int) -> int | None:
    """How many passes a clause asks for at least; None where it asks for none. More than declared: it cannot be kept."""
    if clause.metric != "headline" or not clause.at_least:
        return None
    limit = Fraction(clause.at_least)
    if clause.of == "value":
        return ceil(limit * declared)
    if clause.of == "numerator":
        return ceil(limit)
    if clause.of == "lower" and read.terms.repeats <= 1:
        enough = (passes for passes in range(declared + 1) if wilson(passes, declared).lo >= limit)
        return next(enough, declared + 1)
    return None


METRIC = Metric(Entry("MT023", NAME, "0.1.0", "metrics", __doc__ or ""), measure)
