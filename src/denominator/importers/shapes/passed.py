"""Passed rows: a manifest of the run and one boolean a task."""

from __future__ import annotations

from denominator.importers.judgements import from_flag
from denominator.importers.shapes.base import Shape

SHAPE = Shape(
    name="passed",
    method="M8, M14",
    what="one boolean a task beside a run manifest, or below a first line `_fingerprint`",
    example='{"task_id": "t1", "passed": true}',
    signs=frozenset({"passed"}),
    judge=from_flag("passed"),
    judges="passed",
    wants=("manifest (run.manifest.json)",),
)
