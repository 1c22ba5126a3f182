"""A printed percentage is a count out of n.

Why it matters: 71 % of 40 tasks is no number of tasks. A percentage that no count can give has another denominator
than it says, or another origin.

Bad: "71 %" over 40. Good: "29 of 40 (72.5 %)".
Fix: print the count; find the denominator that was really used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, block, unknown
from denominator.records.judgements import Sheet
from denominator.records.values import NotMeasured
from denominator.stats import possible_counts

PERCENT = re.compile(r"(?P<percent>\d+(?:\.\d+)?)\s*%?(?:\s*(?:of|/)\s*(?P<n>\d+))?")


def check(sheet: Sheet) -> Iterable[Said]:
    """Every printed percentage against the declared number of draws, or against the n that it names itself."""
    for printed in sorted(sheet.terms.printed_percents):
        match = PERCENT.search(printed)
        if match is None:
            yield unknown("percentage", f"{printed!r} is not a percentage", "print it as K of N")
            continue
        n = int(match["n"]) if match["n"] else sheet.solvable_n()
        if isinstance(n, NotMeasured):
            yield unknown("percentage", "the declared number of draws is unknown", "declare the tasks")
        elif not possible_counts(match["percent"], n):
            shown = "a printed percentage" if _withheld(sheet, match["percent"]) else f"{match['percent']} %"
            yield block("percentage", f"no count out of {n} prints as {shown}", "print the count and its n")


def _withheld(sheet: Sheet, percent: str) -> bool:
    """Does it look like a rate or an end of an interval that this very block withholds? Then it is not repeated."""
    digits = Decimal(1).scaleb(-len(percent.partition(".")[2]))
    found = (rate for one in sheet.estimates for rate in (one.value, one.lo, one.hi))
    rates = [rate for rate in found if isinstance(rate, str)]
    return any(abs(100 * Decimal(value) - Decimal(percent)) <= digits for value in rates)


RULE = Rule(
    Entry("GL017", "impossible-percent", "0.1.0", "gate", __doc__ or ""),
    check,
    "no printed percentage is impossible",
    reads_split=True,
)
