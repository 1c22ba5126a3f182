"""With the agent off, a task showed both results.

Why: a test that is red and green on one tree says nothing about a patch; its rows are FLAKY_TEST and leave the
skill score.
Bad: a hidden test with a sleep, a port, today's date, or an order of a set.
Good: the same result in every one of at least three gradings, at the concurrency of the runs.
Fix: make the test deterministic, or take the task out and name it in `retired`.
"""

from collections.abc import Iterator

from denominator.packs.lint.material import Material
from denominator.packs.lint.shape import Rule
from denominator.records.findings import Finding


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """Tasks that the baseline of the lock calls flaky."""
    baseline = pack.found.lock.baseline if pack.found.lock else None
    for task_id in baseline.flaky if baseline else ():
        item = pack.task(task_id)
        what = "both results were seen with the agent off"
        yield rule.finding(task_id, what, where=item.where if item else "pack.lock", fix="make the test deterministic")


RULE = Rule("PL009", "flaky-baseline", __doc__, check)
