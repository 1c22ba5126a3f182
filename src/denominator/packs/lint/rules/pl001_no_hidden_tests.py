"""A task has nothing that could turn red: no hidden tests, no expected test ids, or an empty list of checks.

Why: a grading script that runs nothing exits 0, and so every patch passes. Ids are counted exactly, because a pass
is proved only when every expected test was reported.
Bad: `expected_tests = []`; an empty `hidden/` folder; a card whose reward counts `assertions` and whose `assertions` are
`[]`; a card whose tests all hold already, so that doing nothing passes.
Good: hidden test files, and each of their ids in `expected_tests`.
Fix: write hidden tests and list their ids. A `command` runner without a report can be level G1 only: it is noted,
and caps the claim.
"""

from collections.abc import Iterator

from denominator.packs.lint.material import Material, TaskMaterial
from denominator.packs.lint.shape import Rule
from denominator.records.findings import Finding

IDS_FIX = "list every id that must turn green"


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """Hidden files, then ids, then the lists that a reward counts."""
    for item in pack.tasks:
        if item.states("hidden") and not item.hidden_files:
            where = item.relative(item.paths.hidden)
            yield rule.finding(
                item.task.id,
                "nothing to check: no hidden tests",
                where=where,
                fix="put the tests that grade into hidden/",
            )
        yield from _ids(rule, item)
        for name in item.empty_rewards:
            what = f"nothing to check: {name} is part of the reward and empty"
            yield rule.finding(item.task.id, what, where=item.where, fix="fill it, or take it out of the reward")


def _ids(rule: Rule, item: TaskMaterial) -> Iterator[Finding]:
    verify, where = item.task.verify, item.line_of("expected_tests")
    if not any(item.states(what) for what in ("hidden", "ids", "command")):
        severity = "block" if item.states("task") else "unknown"
        what = "nothing to check: no tests are named"
        yield rule.finding(item.task.id, what, where=where, fix=IDS_FIX, severity=severity)
    elif item.checks:
        if item.must_flip == () and item.task.slice in ("solvable", "canary", "floor"):
            what = "no test must turn green: doing nothing passes"
            yield rule.finding(item.task.id, what, where=where, fix="name the tests that are red without a patch")
    elif verify.level == "G1" and verify.runner == "command":
        what = "graded by exit status alone; no test ids can be counted"
        yield rule.finding(item.task.id, what, where=item.line_of("level"), fix="give a report", severity="note")
    elif item.states("ids"):
        yield rule.finding(item.task.id, "nothing to check: no expected test ids", where=where, fix=IDS_FIX)


RULE = Rule("PL001", "task-without-hidden-tests", __doc__, check, cards=True)
