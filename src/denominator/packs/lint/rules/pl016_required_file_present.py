"""A control that must be asked about lacks nothing, or names nothing that it lacks.

Why: `must_ask` is held when the agent asks or abstains because a declared file is absent; with the file there,
solving is right.
Bad: `required_files = ["config/regions.json"]` while repo/config/regions.json exists.
Good: the file is named and absent.
Fix: remove the file, or name another.
"""

from collections.abc import Iterator

from denominator.packs.lint.material import Material
from denominator.packs.lint.shape import Rule
from denominator.records.findings import Finding


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """Names, then presence. Other tasks must have what they require."""
    for item in pack.tasks:
        have = {file.path for file in item.repo_files}
        asks, at = item.task.control == "must_ask", item.line_of("required_files")
        if asks and not item.task.required_files:
            yield rule.finding(
                item.task.id, "must_ask without required_files", where=at, fix="name the file that is absent"
            )
        for path in item.task.required_files:
            if asks and path in have:
                yield rule.finding(
                    item.task.id, f"the file that should be absent exists: {path}", where=at, fix="remove it from repo/"
                )
            elif not asks and path not in have:
                what = f"a required file is absent: {path}, and the task is no must_ask control"
                yield rule.finding(item.task.id, what, where=at, fix="add the file, or make it a must_ask control")


RULE = Rule("PL016", "required-file-present", __doc__, check)
