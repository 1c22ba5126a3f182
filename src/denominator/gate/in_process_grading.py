"""How far the solution was kept from its verdict limits what may be claimed.

Why it matters: a solution that runs in the grader's process can rewrite the grader. G1 (exit code, clean tree)
allows counts only; G2 (exact ids, sentinels, counter-tests) allows a rate with the words; G3 (a process of its own,
a narrow channel) adds no cap.

Bad: "72 %" from an exit code. Good: "13 of 16 passed; graded at G1: counts only".
Fix: raise the grading level of the named tasks.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.shape import Rule, Said, listed, note
from denominator.records.judgements import Sheet


def check(sheet: Sheet) -> Iterable[Said]:
    """Levels below G2 cap the sentence; what G2 may not claim stands in the may-not list."""
    low: dict[str, list[str]] = {}
    for task, _, draw in sheet.placed(lambda one: one.row is not None and one.row.grading_level in ("G0", "G1")):
        low.setdefault(str(draw.row.grading_level if draw.row else ""), []).append(task)
    for level, tasks in sorted(low.items()):
        yield note(level, f"graded at {level}: {listed(tasks)}; counts only", "raise the grading level of these tasks")


RULE = Rule(
    Entry("GL022", "in-process-grading", "0.1.0", "gate", __doc__ or ""),
    check,
    "no task was graded below G2",
    caps=True,
)
