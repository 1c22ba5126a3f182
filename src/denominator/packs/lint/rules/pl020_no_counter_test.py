"""Nothing hidden must fail on a right solution.

Why: a solution that patches the test runner turns everything green. A counter-test, which a right solution must
fail, shows it.
Bad: G2 with `counter_tests = []`.
Good: at least one hidden test that asserts a wrong answer, listed in `counter_tests`.
Fix: add one.
"""

from collections.abc import Iterator

from denominator.packs.lint.material import Material
from denominator.packs.lint.shape import Rule
from denominator.records.findings import Finding


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """Every task at G2 or G3."""
    for item in pack.tasks:
        if item.task.verify.level != "G1" and not item.task.verify.counter_tests:
            where = item.line_of("counter_tests")
            yield rule.finding(
                item.task.id,
                f"{item.task.verify.level} without a counter-test",
                where=where,
                fix="add a test that must fail",
            )


RULE = Rule("PL020", "no-counter-test", __doc__, check)
