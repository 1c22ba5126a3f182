"""All rows ran under one set of limits; others belong into another log.

Why it matters: a task with twice the time is another task. Rows under two limits in one file give a rate of neither.

Bad: seeds 7 and 11 with a timeout of 300 s and 900 s, and one mean. Good: two logs, two cards.
The check: headers of one result agree, otherwise it is blocked; within one task every row has the same limits as far as
they were recorded, otherwise there are counts and nothing is cited.
Fix: split the rows by their limits, and import each part by itself.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, from_defects, listed, note
from denominator.records.judgements import Sheet
from denominator.records.words import Slice

FIX = "split the rows by their limits and judge each part by itself"


def check(sheet: Sheet) -> Iterable[Said]:
    """Tasks with rows under several limits, limit by limit. Only limits of which there are several are looked at."""
    yield from from_defects(sheet, "limits", FIX, "limits_differ")
    values: dict[str, set[str]] = {}
    for row, _ in sheet.rows():
        for name, value in row.limits_enforced.items():
            values.setdefault(name, set()).add(value)
    for name in sorted(name for name, found in values.items() if len(found) > 1):
        tasks = _by_task(sheet, name)
        mixed = [f"{task} ({', '.join(sorted(found))})" for task, found in tasks.items() if len(found) > 1]
        if mixed:
            yield note("limits", f"limits differ, separate logs are needed: {name} of {listed(mixed)}", FIX)


def _by_task(sheet: Sheet, name: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for slice_ in Slice:
        for task, _, draw in sheet.placed(lambda one: any(name in row.limits_enforced for row in one.tries), slice_):
            found.setdefault(task, set()).update(
                row.limits_enforced[name] for row in draw.tries if name in row.limits_enforced
            )
    return found


RULE = Rule(
    Entry("GL049", "limits-differ", "0.1.0", "gate", __doc__ or ""),
    check,
    "every task ran under one set of limits",
    caps=True,
)
