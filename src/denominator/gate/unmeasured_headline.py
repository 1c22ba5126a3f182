"""There is a headline to speak about.

Why it matters: nothing over nothing is not zero.

Bad: no task was declared and the rate is 0.0. Good: null, with the reason.
Fix: see the reason.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, unknown
from denominator.records.judgements import Sheet
from denominator.records.values import NotMeasured


def check(sheet: Sheet) -> Iterable[Said]:
    """The headline has a value, or a reason why not."""
    found = sheet.estimate("headline")
    if found is None:
        yield unknown("headline", "the headline was not computed", "this is a bug of ours: report it")
    elif isinstance(sheet.declared_n, NotMeasured):
        yield unknown("headline", "there is no rate over an unknown number of draws", "declare the tasks")
    elif isinstance(found.value, NotMeasured):
        yield unknown("headline", found.value.not_measured, "declare the tasks and their repeats")


RULE = Rule(
    Entry("GL031", "unmeasured-headline", "0.1.0", "gate", __doc__ or ""),
    check,
    "the headline was measured",
)
