"""The code did not build, so no test ran.

Why it matters: a patch that does not compile is a wrong patch; a toolchain that does not work is none of the agent's.

Bad: "[build failed]" is a grader error on every row.
Good: the model's when the tests build with the agent off or the error points at the patch; else HARNESS.
Fix: record with the baseline whether the tests build.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.results import fail
from denominator.labels.runners import LOOKED_AT, ended_as, patch_or_grader
from denominator.labels.shape import ENDING, Answer, Rule, View
from denominator.records.words import RunnerEnding


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    if (no := ended_as(view, RunnerEnding.BUILD_FAILED)) is not None:
        return no
    if view.row.baseline_collects is True and view.row.runner_blames_patch is not False:
        return fail("the code does not build, and it builds with the agent off", *LOOKED_AT)
    return patch_or_grader(view, "the code does not build")


RULE = Rule(
    Entry("LB142", "build-broken", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "a baseline that does not build either",
)
