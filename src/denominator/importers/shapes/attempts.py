"""Attempts with their stop reason and conditions."""

from __future__ import annotations

from denominator.importers.judgements import from_stop
from denominator.importers.shapes.base import Shape

SHAPE = Shape(
    name="attempts",
    method="M15",
    what="every attempt with its stop reason, cold start, queue wait, access and server class",
    example='{"task_id": "t1", "attempt": 1, "stop_reason": "tests_red", "cold_start": false, "queue_wait_ms": 10}',
    signs=frozenset({"stop_reason"}),
    judge=from_stop,
    judges="stop_reason",
)
