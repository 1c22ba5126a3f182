"""A hidden test looks at today's date, and the pack does not say until when it holds.

Why: a test that compares a fixture with today is green when the pack is frozen and red some months later; nobody can
pass it then, and it looks like a failure of every agent.
Bad: `self.assertFalse(sut.call("card:expired", "2026-11-30", str(date.today())))`.
Good: the day is an argument that the test fixes; or `expires` in pack.toml names the last day on which it holds.
Fix: fix the day in the test, or state `expires`. This is a note: a test may look at the date without depending on it.
"""

import re
from collections.abc import Iterator

from denominator.packs.lint.material import Material
from denominator.packs.lint.shape import Rule
from denominator.records.findings import Finding

_TODAY = re.compile(
    r"\b(?:date|datetime)\.(?:today|now|utcnow)\(|\bnew Date\(\)|\bDate\.now\(|\btime\.Now\(\)|\b(?:Local)?Date(?:Time)?\.now\("
    r"|\bUtc::now\(|\bLocal::now\(|\btimezone\.now\(|\bTime\.now\b|\$\(date\b"
)


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """The first such line of each hidden file."""
    if pack.pack.expires:
        return
    for item in pack.tasks:
        for text in item.hidden:
            found = next(((n, m[0]) for n, line in enumerate(text.lines, 1) if (m := _TODAY.search(line))), None)
            if found:
                what, where = f"the test looks at today's date: {found[1]}", f"{text.path}:{found[0]}"
                yield rule.finding(
                    item.task.id, what, where=where, fix="fix the day, or state `expires`", severity="note"
                )


RULE = Rule("PL024", "clock-in-hidden-test", __doc__, check)
