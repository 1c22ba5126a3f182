"""The gold patch changes what the task forbids.

Why: an agent that does the same is scored as a scope slip, so the task could only be passed in another way than its
author did.
Bad: `allowed = ["src/*.py"]` and a gold patch that also edits `setup.cfg`.
Good: every path of gold.patch matches `allowed` and none matches `forbidden`.
Fix: widen the allow-list, or change the patch.
"""

from collections.abc import Iterator

from denominator.packs.lint.material import Material
from denominator.packs.lint.shape import Rule
from denominator.records.findings import Finding
from denominator.wire.trees import matches


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """An allow-list at all, then each path of the patch."""
    for item in pack.tasks:
        if not item.task.allowed:
            yield rule.finding(
                item.task.id,
                "no path is allowed to change",
                where=item.line_of("allowed"),
                fix="name globs in `allowed`",
            )
        for path in item.gold.paths if item.gold else ():
            forbidden = matches(item.task.forbidden, path)
            if forbidden or not matches(item.task.allowed, path):
                word = "forbidden" if forbidden else "outside the allow-list"
                where = item.relative(item.paths.gold)
                yield rule.finding(
                    item.task.id,
                    f"gold.patch changes {path}, which is {word}",
                    where=where,
                    fix="change one of the two",
                )


RULE = Rule("PL013", "gold-outside-allow-list", __doc__, check)
