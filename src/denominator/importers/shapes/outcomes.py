"""Outcome rows: the source's own judgement of every attempt."""

from __future__ import annotations

from denominator.importers.judgements import from_outcome
from denominator.importers.shapes.base import Shape

SHAPE = Shape(
    name="outcomes",
    method="M10",
    what="one row an attempt with the source's outcome, and a reason where it is unscoreable",
    example='{"run_id": "r1", "task_id": "t1", "attempt": 1, "outcome": "unscoreable", "reason": "env_flake"}',
    signs=frozenset({"outcome"}),
    judge=from_outcome,
    judges="outcome",
)
