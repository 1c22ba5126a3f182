"""A failing verify command can end with exit status 0.

Why: `run-tests | tee out.txt` exits 0 with a red suite, for every arm alike, and nothing in the numbers shows it.
Bad: `run-tests | tee log`, `run-tests || true`, `run-tests; echo done`, `run-tests &`, a trailing `exit 0`.
Good: `run-tests`, `set -eo pipefail; run-tests | tee log`, `run-tests; rc=$?; echo finished; exit $rc`.
Fix: one plain command whose status is the verdict; put everything else into a script that starts with `set -euo
pipefail`.
"""

from collections.abc import Iterator

from denominator.packs.lint.material import Material
from denominator.packs.lint.shape import Rule
from denominator.packs.lint.shell import find_masks
from denominator.records.findings import Finding


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """Every way to lose a failure in `verify.command`."""
    for item in pack.tasks:
        command = item.task.verify.command
        for mask in find_masks(command) if command else ():
            shown = command[mask.at : mask.at + 40].split("\n")[0]
            what = f"`{shown}` {mask.what} ({mask.kind})"
            yield rule.finding(
                item.task.id, what, where=item.line_of("command"), fix="run one plain command, or use pipefail"
            )


RULE = Rule("PL006", "masked-exit-status", __doc__, check, cards=True)
