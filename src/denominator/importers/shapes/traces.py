"""Traces: what the agent did and the exit status of the verify command."""

from __future__ import annotations

from denominator.importers.shapes.base import Shape

SHAPE = Shape(
    name="traces",
    method="M1",
    what="one row a task with the verify command's exit status and, where kept, the tool calls",
    example='{"task_id": "t1", "exit_code": 0, "tool_calls": [], "written_tests": false, "wall_s": 40}',
    signs=frozenset({"exit_code"}),
)
