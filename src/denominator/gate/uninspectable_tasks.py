"""Tasks that nobody may inspect support no statement.

Why it matters: what a failure class means is read from the task. Where no outsider may see task, test and patch, a wrong
test and a leaked answer look like any other row.

Bad: "our internal tasks, confidential", and class counts in a report. Good: tasks that a reviewer may open.
The check: a manifest that states `tasks_inspectable = false`. Runs of ours keep their pack beside the journal.
Fix: open the tasks to whoever is shown the result, or keep the result where the tasks are.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.known import stated
from denominator.gate.shape import Rule, Said, block
from denominator.records.judgements import Sheet


def check(sheet: Sheet) -> Iterable[Said]:
    """What the manifest states."""
    if sheet.terms.origin != "seal" and stated(sheet.terms, "tasks_inspectable").lower() in ("false", "no"):
        yield block("tasks", "nobody may inspect these tasks", "open them to whoever is shown the result")


RULE = Rule(
    Entry("GL058", "uninspectable-tasks", "0.1.0", "gate", __doc__ or ""),
    check,
    "no tasks are said to be closed to inspection",
)
