"""The runner cannot give what the grading level promises.

Why: a card prints the level; one that says more than the grader can give is wrong. The grader gives unittest G3 at
best, pytest G2, a command of the pack's own G1, where only the exit status (and the ids of its report) can be read.
Bad: `runner = "command"` at level G2; a `command` beside another runner, which ignores it; a runner that nobody knows.
Good: `runner = "unittest"` at G2; `runner = "command"` at G1.
Fix: lower the level, or use a runner that reports by pipe.
"""

from collections.abc import Iterator

from denominator.packs.lint.material import Material, TaskMaterial
from denominator.packs.lint.shape import Rule
from denominator.records.findings import Finding

BEST_LEVEL = {"unittest": "G3", "pytest": "G2", "command": "G1"}


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """Runner, command and level of each task."""
    for item in pack.tasks:
        verify = item.task.verify
        best = BEST_LEVEL.get(verify.runner)
        if best is None:
            what, fix = f'"{verify.runner}" is not a known runner', "one of: " + ", ".join(BEST_LEVEL)
            yield rule.finding(item.task.id, what, where=item.line_of("runner"), fix=fix)
        elif verify.level > best:
            what = f"runner {verify.runner} can be graded at {best} at best, not {verify.level}"
            yield rule.finding(item.task.id, what, where=item.line_of("level"), fix=f'level = "{best}"')
        yield from _command(rule, item)


def _command(rule: Rule, item: TaskMaterial) -> Iterator[Finding]:
    verify, where = item.task.verify, item.line_of("command")
    if verify.runner == "command" and not verify.command.strip():
        yield rule.finding(item.task.id, "runner command without a command", where=where, fix="fill in verify.command")
    if verify.runner != "command" and (verify.command or verify.report):
        what = f"runner {verify.runner} ignores verify.command and verify.report"
        yield rule.finding(item.task.id, what, where=where, fix='runner = "command", or neither of them')


RULE = Rule("PL018", "runner-level-mismatch", __doc__, check)
