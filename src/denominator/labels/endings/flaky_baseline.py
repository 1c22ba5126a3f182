"""The same tests were red and green with the agent off.

Why it matters: a test that changes its mind by itself cannot tell a right patch from a wrong one.

Bad: the suite is run again until it is green, or its red is blamed on the agent.
Good: unscoreable, origin FLAKY_TEST, counted in flaky_rate over all scheduled draws; decided before any agent ran.
Fix: repair the test or the port, clock or order that it depends on, and lock the pack under a new version.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels.results import unscoreable
from denominator.labels.shape import ENDING, Answer, No, Rule, View
from denominator.labels.verdicts import verdict_of


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    if not verdict_of(view):
        return No("no verdict came into being, so no test can have lied", ("grade",))
    if view.row.key.task_id not in view.terms.flaky_tasks:
        return No("the baseline shows one result for this task")
    why = "the same tests were red and green with the agent off"
    return unscoreable("FLAKY_TEST", "env_flake", why, "grade", "baseline_ref")


RULE = Rule(
    Entry("LB110", "flaky-baseline", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "a baseline at the same concurrency in which every repeat says the same",
)
