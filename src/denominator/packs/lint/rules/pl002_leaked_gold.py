"""Lines of the gold patch can be read by the agent.

Why: a solution that lies in the prompt, a README, a comment or another file measures copying.
Bad: a commented-out solution, a README that shows the fixed function, the finished code in another folder of the
repository.
Good: a prompt that states behaviour.
Fix: take the lines out. Signatures, imports and comments are not counted: a prompt may state an interface.
"""

from collections.abc import Iterator

from denominator.packs.lint.leaks import code_in_code, code_in_prose
from denominator.packs.lint.material import Material
from denominator.packs.lint.shape import Rule
from denominator.records.findings import Finding


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """Distinctive added lines in all that the agent sees."""
    for item in pack.tasks:
        if item.gold is None:
            continue
        lines = [line for _, line in item.gold.added]
        for hit in (*code_in_prose(lines, item.visible), *code_in_code(lines, item.visible)):
            what = f"a line of gold.patch can be read by the agent: {hit.text}"
            yield rule.finding(item.task.id, what, where=hit.where, fix="state the behaviour instead of the code")


RULE = Rule("PL002", "leaked-gold", __doc__, check, cards=True)
