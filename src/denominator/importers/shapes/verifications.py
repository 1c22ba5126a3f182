"""Verifications: how the verifier ended, by exit status and report."""

from __future__ import annotations

from denominator.importers.shapes.base import Shape

SHAPE = Shape(
    name="verifications",
    method="M2",
    what="one ending of a verifier a row: its exit status, the counts of its report, how many tests it must account for; "
    "without a `runner` or a verify command, counts in pytest's words are read as pytest's",
    example='{"task_id": "t1", "verify_exit": 1, "verify_report": {"passed": 2, "failed": 1, "errors": 0}, "expected": 3}',
    signs=frozenset({"verify_exit"}),
)
