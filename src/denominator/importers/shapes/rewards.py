"""Rewarded trials: one graded trial a line."""

from __future__ import annotations

from denominator.importers.judgements import from_outcome
from denominator.importers.shapes.base import Shape

SHAPE = Shape(
    name="rewards",
    method="M2, M10",
    what="one trial a row with the verifier's reward (1 green, 0 red, absent none); attempt numbers are trials "
    "unless a retry policy is declared",
    example='{"task_id": "t1", "attempt": 1, "reward": 1.0, "verify": {"state": "done", "stage": "tests"}}',
    signs=frozenset({"reward"}),
    judge=from_outcome,
    judges="outcome",
    trials=True,
)
