"""Contract pass rate: passes that are known to be contract passes. Withheld while that is not known.

Why it matters: green on tests that the agent wrote itself is a weaker thing than green on hidden tests against a
frozen surface.

Numerator: draws of the solvable slice in bucket PASS_CONTRACT. Denominator: its declared draws. Unit: draws.
Without a judged tool log and the frozen spec nobody knows whether a green row used a surface that does not exist, so
the number of such passes stands in the place of the rate; only passes that are known to be weak need no tool log.

Bad: every pass counted as a contract pass. Good: "the surface was not checked for 9 passing draws".
Fix: record the tool log and the allowed surface.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.shape import About, Metric
from denominator.records.estimates import Estimate
from denominator.records.judgements import Sheet
from denominator.records.values import NotMeasured
from denominator.records.words import Mix

NAME = "contract_pass_rate"
ESTIMAND = "share of declared draws that are contract passes"


def measure(sheet: Sheet) -> Estimate:
    """Contract passes over declared draws, or how many passes nobody evaluated."""
    unchecked = sum(draw.exit == "pass" and draw.mix != Mix.PASS_WEAK for draw in sheet.of_slice("solvable"))
    about, declared = About(NAME, ESTIMAND, "draws", sheet), sheet.solvable_n()
    if unchecked:
        passes = "passing draw" if unchecked == 1 else "passing draws"
        why = NotMeasured(f"the surface was not checked for {unchecked} {passes}: no tool log was judged")
        return about.missing(why, why, declared)
    return about.rate(0, declared, "no solvable draw was declared")


METRIC = Metric(Entry("MT009", NAME, "0.1.0", "metrics", __doc__ or ""), measure)
