"""The runner cannot give what the grading level promises.

Why: G2 and G3 count exact test ids from a report; a command that only exits gives G1, and a card that says more is
wrong.
Bad: `runner = "command"` without `report` at level G2; a `command` beside another runner, which ignores it.
Good: `runner = "unittest"` at G2; `runner = "command"` with a report at G2, without one at G1.
Fix: name the report, or lower the level.
"""

from collections.abc import Iterator

from denominator.packs.lint.material import Material
from denominator.packs.lint.shape import Rule
from denominator.records.findings import Finding


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """Command, report and level of each task."""
    for item in pack.tasks:
        verify, task_id = item.task.verify, item.task.id
        if verify.runner != "command":
            if verify.command:
                what = f"runner {verify.runner} ignores verify.command"
                yield rule.finding(
                    task_id, what, where=item.line_of("command"), fix='runner = "command", or no command'
                )
            continue
        if not verify.command.strip():
            yield rule.finding(
                task_id, "runner command without a command", where=item.line_of("runner"), fix="fill in verify.command"
            )
        if not verify.report and verify.level != "G1":
            what = f"a command without a report can be graded at G1 only, not {verify.level}"
            yield rule.finding(task_id, what, where=item.line_of("level"), fix='level = "G1", or name the report')


RULE = Rule("PL018", "runner-level-mismatch", __doc__, check)
