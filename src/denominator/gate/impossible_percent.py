"""A printed percentage is a count out of n.

Why it matters: 71 % of 40 tasks is no number of tasks. A percentage that no count can give has another denominator
than it says, or another origin.

Bad: "71 %" over 40. Good: "29 of 40 (72.5 %)". 61.7 % for 139 of 225 was cut, not
rounded: that is said, and blocks like any other percentage that is not the count's.
Where nobody knows out of how many it is, or it is no percentage, it cannot be checked: that blocks too, and accuses nobody.
Fix: print the count; find the denominator that was really used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, block, unknown
from denominator.records.judgements import Sheet
from denominator.records.values import NotMeasured
from denominator.stats import cut_counts, possible_counts

PERCENT = re.compile(r"(?P<percent>\d+(?:\.\d+)?)\s*%?(?:\s*(?:of|/)\s*(?P<n>\d+))?")


def check(sheet: Sheet) -> Iterable[Said]:
    """Every printed percentage against the declared number of draws, or against the n that it names itself.

    None is repeated: a refuted percentage may be a rate that this very block withholds.
    """
    printed = sheet.terms.printed_percents
    for number, text in enumerate(printed, 1):
        which = "the printed percentage" if len(printed) == 1 else f"printed percentage no. {number}"
        match = PERCENT.search(text)
        if match is None:
            yield unknown("percentage", f"{which} cannot be checked: it is not a percentage", "print it as K of N")
            continue
        n = int(match["n"]) if match["n"] else sheet.solvable_n()
        if isinstance(n, NotMeasured):
            why = "it names no number that it is of, and the declared number of draws is unknown"
            yield unknown(
                "percentage", f"{which} cannot be checked: {why}", "declare the tasks, or the number: 40 % of N"
            )
        elif possible_counts(match["percent"], n):
            continue
        else:
            cut = ", only cut off after its last digit" if cut_counts(match["percent"], n) else ""
            said = "rounds to it" if cut else "prints so"
            yield block(
                "percentage", f"{which} cannot be: no count out of {n} {said}{cut}", "print the count and its n"
            )


RULE = Rule(
    Entry("GL017", "impossible-percent", "0.2.0", "gate", __doc__ or ""),
    check,
    "no printed percentage is impossible",
    accuses=True,
)
