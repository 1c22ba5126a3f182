"""A task has nothing that could turn red: no hidden tests, or no expected test ids.

Why: a grading script that runs nothing exits 0, and so every patch passes. Ids are counted exactly, because a pass
is proved only when every expected test was reported.
Bad: `expected_tests = []`, or an empty `hidden/` folder.
Good: hidden test files, and each of their ids in `expected_tests`.
Fix: write hidden tests and list their ids. A `command` runner without a report can be level G1 only: it is noted,
and caps the claim.
"""

from collections.abc import Iterator

from denominator.packs.lint.material import Material
from denominator.packs.lint.shape import Rule
from denominator.records.findings import Finding


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """Hidden files, then ids."""
    for item in pack.tasks:
        if not item.hidden_files:
            where = item.relative(item.paths.hidden)
            yield rule.finding(
                item.task.id, "no hidden tests", where=where, fix="put the tests that grade into hidden/"
            )
        if item.task.verify.expected_tests:
            continue
        if item.task.verify.level == "G1" and item.task.verify.runner == "command":
            what = "graded by exit status alone; no test ids can be counted"
            yield rule.finding(item.task.id, what, where=item.line_of("level"), fix="give a report", severity="note")
        else:
            fix = "list every id that must turn green"
            yield rule.finding(item.task.id, "no expected test ids", where=item.line_of("expected_tests"), fix=fix)


RULE = Rule("PL001", "task-without-hidden-tests", __doc__, check)
