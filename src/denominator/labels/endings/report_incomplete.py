"""The report does not account for every expected test.

Why it matters: a report that ends early may hide the test that would have failed.

Bad: 7 of 7 reported tests passed; 9 were expected.
Good: no verdict: HARNESS grader_error, or the model's when the ending points at the patch.
Fix: let the runner write its report by a channel that outlives it, and compare ids, not numbers.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.runners import ended_as, patch_or_grader
from denominator.labels.shape import ENDING, Answer, Rule, View
from denominator.records.words import RunnerEnding


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    return ended_as(view, RunnerEnding.INCOMPLETE) or patch_or_grader(
        view, "the report does not account for every expected test"
    )


RULE = Rule(
    Entry("LB149", "report-incomplete", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "a report that accounts for every expected test",
)
