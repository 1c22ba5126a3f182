"""Contract pass rate: passes that are known to be contract passes. Withheld while that is not known.

Why it matters: green on tests that the agent wrote itself is a weaker thing than green on hidden tests against a
frozen surface.

Numerator: draws of the solvable slice in bucket PASS_CONTRACT. Denominator: its declared draws. Unit: draws.
Without a tool log and the frozen spec no pass gets that bucket, and the number of such passes stands in the place
of the rate.

Bad: every pass counted as a contract pass. Good: "not evaluated for 9 passes".
Fix: record the tool log and the allowed surface.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.metrics.shape import Metric, missing, rate
from denominator.records.estimates import Estimate
from denominator.records.judgements import Sheet
from denominator.records.values import NotMeasured

NAME = "contract_pass_rate"
ESTIMAND = "share of declared draws that are contract passes"


def measure(sheet: Sheet) -> Estimate:
    """Contract passes over declared draws, or how many passes nobody evaluated."""
    passes = [draw for draw in sheet.of_slice("solvable") if draw.exit == "pass"]
    unjudged = sum(draw.mix not in ("PASS_CONTRACT", "PASS_WEAK") for draw in passes)
    declared = sheet.solvable_n()
    if unjudged:
        why = NotMeasured(f"the contract was not evaluated for {unjudged} passing draws")
        return missing(NAME, ESTIMAND, "draws", sheet, why, why, declared)
    count = sum(draw.mix == "PASS_CONTRACT" for draw in passes)
    return rate(NAME, ESTIMAND, count, declared, "draws", sheet, empty="no draw was declared")


METRIC = Metric(Entry("MT009", NAME, "0.1.0", "metrics", __doc__ or ""), measure)
