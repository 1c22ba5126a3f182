"""Error rows: attempts that left no final row."""

from __future__ import annotations

from denominator.importers.shapes.base import Shape

SHAPE = Shape(
    name="errors",
    method="M10",
    what="errors kept beside the final rows (`*_errors.jsonl`): an id with a final row beats its error rows",
    example='{"run_id": "r1", "task_id": "t9", "attempt": 1, "error": "remote session ended"}',
    signs=frozenset({"error"}),
    needs=("rows (the file with the final rows)",),
)
