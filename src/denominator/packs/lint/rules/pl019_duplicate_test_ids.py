"""A test id is listed twice, or is both to pass and to fail.

Why: ids are counted; one that counts twice, or in both lists, cannot be satisfied or is satisfied too easily.
Bad: one id in `expected_tests` and in `counter_tests`.
Good: each id once.
Fix: remove the repeat.
"""

from collections import Counter
from collections.abc import Iterator

from denominator.packs.lint.material import Material
from denominator.packs.lint.shape import Rule
from denominator.records.findings import Finding


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """Both lists together."""
    for item in pack.tasks:
        ids = (*item.task.verify.expected_tests, *item.task.verify.counter_tests)
        for test_id, count in Counter(ids).items():
            if count > 1:
                what = f"{test_id} is listed {count} times"
                yield rule.finding(item.task.id, what, where=item.line_of("expected_tests"), fix="list each id once")
            if not test_id.strip():
                yield rule.finding(
                    item.task.id, "an empty test id", where=item.line_of("expected_tests"), fix="remove it"
                )


RULE = Rule("PL019", "duplicate-test-ids", __doc__, check, cards=True)
