"""Draws that infrastructure ended stay at or below the sealed ceiling.

Why it matters: above it the batch describes the host; a comparison would compare two hosts.

Bad: a third of the draws died on a full disk and the rest is published. Good: no comparison, the reasons on the card.
Fix: repair the host, run again.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, above, block
from denominator.records.judgements import Sheet


def check(sheet: Sheet) -> Iterable[Said]:
    """The infra censor rate against the ceiling, where one was declared."""
    ceiling, found = sheet.terms.infra_ceiling, sheet.estimate("infra_censor_rate")
    if ceiling and found is not None and above(found.numerator, found.denominator, ceiling):
        what = (
            f"NO_AGGREGATE: infra_censor_rate {found.numerator} of {found.denominator} is above the ceiling {ceiling}"
        )
        yield block("infra_censor_rate", what, "repair the host and run again")


RULE = Rule(
    Entry("GL015", "infra-above-ceiling", "0.1.0", "gate", __doc__ or ""),
    check,
    "the share that infrastructure ended is at or below the ceiling",
    no_aggregate=True,
)
