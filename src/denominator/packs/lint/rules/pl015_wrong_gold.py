"""A gold patch is there where none can be, is absent where one must be, or does not fit the repository.

Why: gold shows that a task can be solved. A task that must fail, must stay as it is or must be asked about has no
right patch.
Bad: a `must_ask` control with a gold.patch; a solvable task without one; a patch against another revision.
Good: gold for solvable, canary and floor tasks, none for `must_fail`, `noop_must_stay_green` and `must_ask`.
Fix: add, remove or renew gold.patch (`git diff` writes the format).
"""

from collections.abc import Iterator

from denominator.packs.lint.material import Material
from denominator.packs.lint.shape import Rule
from denominator.records.findings import Finding

_NO_GOLD = ("must_fail", "noop_must_stay_green", "must_ask")


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """Presence, then fit."""
    for item in pack.tasks:
        where, task = item.relative(item.paths.gold), item.task
        if item.gold is None:
            if task.slice in ("solvable", "canary", "floor"):
                yield rule.finding(
                    task.id, "no gold.patch: nothing shows that the task can be solved", where=where, fix="add one"
                )
        elif task.control in _NO_GOLD:
            yield rule.finding(
                task.id, f"a {task.control} control has no right patch", where=where, fix="remove gold.patch"
            )
        elif item.gold.problem:
            yield rule.finding(
                task.id, f"gold.patch cannot be applied: {item.gold.problem}", where=where, fix="write it with git diff"
            )


RULE = Rule("PL015", "wrong-gold", __doc__, check)
