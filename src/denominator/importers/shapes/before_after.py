"""Before and after: tests without the agent and tests after it."""

from __future__ import annotations

from denominator.importers.shapes.base import Shape

SHAPE = Shape(
    name="before-after",
    method="M2",
    what="tests green without the agent, tests green after it; also one `meta.json` a run",
    example='{"run_id": "r1", "task_id": "t1", "tests_without_agent_pass": false, "tests_after_pass": true}',
    signs=frozenset({"tests_after_pass"}),
)
