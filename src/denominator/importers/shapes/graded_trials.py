"""Graded trials: a folder with phases and verdict files, as one row."""

from __future__ import annotations

from denominator.importers.shapes.base import Shape

SHAPE = Shape(
    name="graded-trials",
    method="M0",
    what="a folder of one trial, read as one row: `phases.json` says when agent and verifier began and ended, "
    "`reward.json`, `reward.txt`, `verdict.json` ... what they left; only files that the verifier wrote are read",
    example='{"task_id": "t1", "verdict_files": [{"path": "verifier/reward.txt", "green": false, "read": true}]}',
    signs=frozenset({"verdict_files"}),
)
