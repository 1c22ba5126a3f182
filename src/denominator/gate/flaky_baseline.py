"""Repeats of a flaky test say nothing about an agent.

Why it matters: a test that is green and red by itself flips without an agent. In a spread of repeats its flips look like
the agent's, so such a spread is refused.

Bad: "flip rate 0.30" with a port clash in one test. Good: the task is named, counted as FLAKY_TEST, and no spread given.
The check: more than one repeat, and a task of the solvable slice that showed both results with the agent off.
Fix: repair the test or retire the task under a new pack digest, then run again.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, listed, note
from denominator.records.judgements import Sheet


def check(sheet: Sheet) -> Iterable[Said]:
    """Flaky solvable tasks where repeats were declared."""
    if sheet.terms.repeats <= 1 or not sheet.terms.flaky_tasks:
        return
    flaky = set(sheet.terms.flaky_tasks)
    found = {task for task, _, _ in sheet.placed() if task in flaky}
    if found:
        what = f"flaky with the agent off, so repeats give no spread and no flip rate: {listed(found)}"
        yield note("baseline", what, "repair or retire these tasks, then run again")


RULE = Rule(
    Entry("GL053", "flaky-baseline", "0.1.0", "gate", __doc__ or ""),
    check,
    "no repeated task is flaky with the agent off",
    caps=True,
)
