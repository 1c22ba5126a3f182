"""Applied patches: who made each, and how applying it ended."""

from __future__ import annotations

from denominator.importers.shapes.base import Shape

SHAPE = Shape(
    name="applies",
    method="M4, M15",
    what="one patch a row: who made it (harness or agent_text), the exit status of applying it, and which tree the work "
    "tree equalled before; patches beside the rows are looked at for a cut last line and rewritten line endings",
    example='{"id": "t1", "made_by": "harness", "apply_exit": 1, "tree_digest_equals": "after"}',
    signs=frozenset({"apply_exit"}),
    renames={"id": "task_id"},
)
