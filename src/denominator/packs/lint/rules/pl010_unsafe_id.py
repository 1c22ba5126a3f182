"""An id cannot be a folder name everywhere, or equals another but for case.

Why: each task has a folder of its own in every run; two ids that differ only in case share one folder on some
disks, and "../x" leaves it.
Bad: "../../evil", an id with a line break, "Task-1" beside "task-1".
Good: "proration-plan-change".
Fix: use lower-case letters, digits and dashes.
"""

from collections.abc import Iterator

from denominator.packs.ids import id_problems
from denominator.packs.lint.material import Material
from denominator.packs.lint.shape import Rule
from denominator.records.findings import Finding


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """The pack's own id and all task ids."""
    places = {f"task {item.task.id!r}": item.where for item in pack.tasks}
    for problem in id_problems(pack.pack.tasks, pack.pack.id):
        where = places.get(problem.where, "pack.toml")
        yield rule.finding(problem.where, problem.what, where=where, fix=problem.fix)


RULE = Rule("PL010", "unsafe-id", __doc__, check, cards=True)
