"""Trials of a task list with slices."""

from __future__ import annotations

from denominator.importers.judgements import from_word
from denominator.importers.shapes.base import Shape

SHAPE = Shape(
    name="trials",
    method="M12",
    what="one verdict a task; the task list says slice, expected ending and canary",
    example='{"task_id": "k1", "verdict": "pass", "patch": "+x", "stdout": ""}',
    signs=frozenset({"verdict"}),
    judge=from_word("verdict"),
    judges="verdict",
    needs=("tasks (tasks.jsonl)",),
    wants=(),
)
