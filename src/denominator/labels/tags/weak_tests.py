"""The only passing tests are mocks or snapshots.

Why it matters: a mock agrees with whatever was assumed.

Bad: green is green.
Good: tag weak_tests; a pass is PASS_WEAK.
Fix: run tests against the real thing.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.shape import Answer, No, Rule, Said, View
from denominator.records.words import Axis


def judge(view: View) -> Answer:
    """Does it hold?"""
    if view.row.weak_tests:
        return Said("weak_tests", "the only passing tests are mocks or snapshots", ("weak_tests",))
    return No("it does not hold", ("weak_tests",))


RULE = Rule(
    Entry("LB415", "tag-weak-tests", "0.1.0", "label tags", __doc__ or ""),
    Axis.TAG,
    judge,
    "",
)
