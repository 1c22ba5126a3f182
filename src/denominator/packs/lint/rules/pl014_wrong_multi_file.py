"""`multi_file` disagrees with the gold patch.

Why: the count of multi-file tasks is part of the selection rule, so the flag must be a fact.
Bad: `multi_file = true` and a gold patch that changes one file.
Good: true where the patch changes two files or more.
Fix: correct the flag.
"""

from collections.abc import Iterator

from denominator.packs.lint.material import Material
from denominator.packs.lint.shape import Rule
from denominator.records.findings import Finding


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """Files of the patch against the flag."""
    for item in pack.tasks:
        if item.gold is None or not item.gold.paths:
            continue
        count = len(item.gold.paths)
        if item.task.multi_file != (count > 1):
            said = str(item.task.multi_file).lower()
            what = f"multi_file = {said}, but gold.patch changes {count} file{'s' if count > 1 else ''}"
            yield rule.finding(
                item.task.id, what, where=item.line_of("multi_file"), fix=f"multi_file = {str(count > 1).lower()}"
            )


RULE = Rule("PL014", "wrong-multi-file", __doc__, check)
