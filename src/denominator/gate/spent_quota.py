"""A run whose account or cap ran dry has no rate: what was not attempted was chosen by the bill, not by the plan.

Why it matters: the tasks that are left out are the last ones, and the long ones. A rate over the others is a rate of
whatever happened to be affordable.

Bad: 2 of 3, because the money ended at task 4. Good: NO_AGGREGATE, "t4, t5, t6 were not attempted for a budget reason".
The check: a counted attempt ended because the provider's account was spent or the run's own cap cut it.
Fix: raise the account or the cap and run the plan again under a new seal; the same run cannot be completed later.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, block, listed
from denominator.records.judgements import Sheet
from denominator.records.words import Reason

FIX = "raise the account or the cap, then run the whole plan again under a new seal"


def check(sheet: Sheet) -> Iterable[Said]:
    """Draws that ended for money."""
    spent = [task for task, _, _ in sheet.placed(lambda draw: draw.reason == Reason.QUOTA_EXHAUSTED, "")]
    if spent:
        ids = tuple(dict.fromkeys(spent))
        what = f"{len(spent)} draws were not attempted to their end for a budget reason: {listed(ids)}"
        yield block("quota", what, FIX)


RULE = Rule(
    Entry("GL038", "spent-quota", "0.1.0", "gate", __doc__ or ""),
    check,
    "no draw was lost to a spent account or a cap of the run",
    no_aggregate=True,
)
