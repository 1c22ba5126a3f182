"""Spend rows: tokens of every attempt and whether the checker accepted it."""

from __future__ import annotations

from denominator.importers.judgements import from_accepted
from denominator.importers.shapes.base import Shape

SHAPE = Shape(
    name="spend",
    method="M5",
    what="tokens, wall time and acceptance of every attempt of one arm",
    example='{"task_id": "t1", "attempt": 1, "prompt_tokens": 900, "completion_tokens": 100, "accepted": true}',
    signs=frozenset({"accepted"}),
    judge=from_accepted,
    judges="accepted",
    wants=("manifest (harness_config.json)",),
)
