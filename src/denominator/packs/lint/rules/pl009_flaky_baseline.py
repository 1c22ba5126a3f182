"""With the agent off, a task showed both results.

Why: a test that is red and green on one tree says nothing about a patch; its rows are FLAKY_TEST and leave the
skill score.
Bad: a hidden test with a sleep, a port, today's date, or an order of a set.
Good: the same result in every one of at least three gradings, at the concurrency of the runs.
Fix: make the test deterministic, or take the task out and name it in `retired`. `denominator pack verify --repeats 59`
looks harder. A test that passed and failed on a tree that stayed red for another reason is a note: it may be the
snapshot that is unsteady and not the test.
"""

from collections.abc import Iterator

from denominator.packs.baseline import BASE, GOLD, both_results, unstable_ids
from denominator.packs.lint.material import Material, TaskMaterial
from denominator.packs.lint.shape import Rule
from denominator.records.findings import Finding
from denominator.records.packs import BaselineRun


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """Tasks that the baseline of the lock calls flaky."""
    baseline = pack.found.lock.baseline if pack.found.lock else None
    for task_id in baseline.flaky if baseline else ():
        item = pack.task(task_id)
        what = "both results were seen with the agent off"
        yield rule.finding(task_id, what, where=item.where if item else "pack.lock", fix="make the test deterministic")
    runs = baseline.runs if baseline else ()
    for item in pack.tasks:
        yield from _hidden_flips(rule, item, [run for run in runs if run.task_id == item.task.id])


def _hidden_flips(rule: Rule, item: TaskMaterial, runs: list[BaselineRun]) -> Iterator[Finding]:
    for on in (BASE, GOLD):
        grades = [run.grade for run in runs if run.on == on]
        ids = unstable_ids(run for run in runs if run.on == on)
        if ids and not both_results(grades):
            what = f"on {on} these tests passed and failed: {', '.join(ids)}"
            fix = "denominator pack verify --repeats 59"
            yield rule.finding(item.task.id, what, where=item.where, fix=fix, severity="note")


RULE = Rule("PL009", "flaky-baseline", __doc__, check)
