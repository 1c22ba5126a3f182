"""The runner could not collect the tests.

Why it matters: one exit status stands for a wrong import in the patch and for a package that the image lacks.

Bad: every collection error is the agent's, or every one is the grader's.
Good: the model's only when the import target is in the patch and the tests collect with the agent off; else HARNESS.
Fix: record with the baseline whether the tests collect.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.runners import ended_as, patch_or_grader
from denominator.labels.shape import ENDING, Answer, Rule, View
from denominator.records.words import RunnerEnding


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    return ended_as(view, RunnerEnding.COLLECTION_ERROR) or patch_or_grader(view, "the tests could not be collected")


RULE = Rule(
    Entry("LB141", "tests-not-collected", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "an import target in the patch while the tests collect with the agent off, or the opposite",
)
