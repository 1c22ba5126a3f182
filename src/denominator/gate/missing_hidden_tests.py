"""Every solvable task is graded by tests that the agent did not see.

Why it matters: tests that are visible can be fitted, and tests that the agent wrote pass by construction.

Bad: the repository's own tests decide. Good: hidden tests, put in place after the agent ended.

Our own packs without hidden tests make no card; foreign rows are noted and capped at counts.
Fix: add hidden tests to the pack.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, block, note
from denominator.records.judgements import Sheet


def check(sheet: Sheet) -> Iterable[Said]:
    """What the terms say about hidden tests."""
    if not sheet.terms.hidden_tests:
        say = block if sheet.terms.origin == "seal" else note
        yield say("pack", "not every task is known to have hidden tests", "add hidden tests to every solvable task")


RULE = Rule(
    Entry("GL027", "missing-hidden-tests", "0.1.0", "gate", __doc__ or ""),
    check,
    "every solvable task has hidden tests",
    caps=True,
)
