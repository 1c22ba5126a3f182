"""A foreign journal of checkpoints, with verdicts beside it."""

from __future__ import annotations

from denominator.importers.shapes.base import Shape

SHAPE = Shape(
    name="checkpoints",
    method="M4",
    what="one durable point a line; `verdicts.json` says {task: {interrupted, status}}",
    example='{"task_id": "k1", "attempt": 1, "checkpoint": "patch_applied", "payload_digest": "d1"}',
    signs=frozenset({"checkpoint"}),
    needs=("verdicts (verdicts.json)",),
    grouped=True,
    unjudged="patches applied twice, resumption and states between checkpoints are kept in the rows and not judged",
)
