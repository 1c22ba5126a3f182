"""There are fewer controls or multi-file tasks than the selection rule promises.

Why: the rule was written before the tasks; a pack that falls short of it was chosen by another rule.
Bad: `controls_min = 4` with two negative tasks.
Good: at least as many as declared. A holdout has at least 4 negative controls that are already green and 4
multi-file tasks.
Fix: add tasks, or lower the number and say so in the rule's text.
"""

from collections.abc import Iterator

from denominator.packs.lint.material import Material
from denominator.packs.lint.shape import Rule
from denominator.records.findings import Finding

_HOLDOUT = 4


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """Count both kinds."""
    selection, tasks = pack.pack.selection, pack.pack.tasks
    counted = (
        ("controls_min", selection.controls_min, sum(task.slice == "negative" for task in tasks), "negative controls"),
        ("multi_file_min", selection.multi_file_min, sum(task.multi_file for task in tasks), "multi-file tasks"),
    )
    for field, least, have, noun in counted:
        where = f"pack.toml: selection.{field}"
        if have < least:
            yield rule.finding(
                pack.pack.id, f"{have} {noun}, {least} declared", where=where, fix="add tasks or change the rule"
            )
        elif least < _HOLDOUT:
            what = f"declares fewer than {_HOLDOUT} {noun}; a holdout has at least {_HOLDOUT}"
            yield rule.finding(pack.pack.id, what, where=where, fix="add tasks", severity="note")


RULE = Rule("PL012", "fewer-than-declared", __doc__, check)
