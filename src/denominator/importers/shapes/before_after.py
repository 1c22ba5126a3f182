"""Before and after: tests without the agent and tests after it."""

from __future__ import annotations

from collections.abc import Sequence

from denominator.importers.raw import RawRow
from denominator.importers.shapes.base import Shape
from denominator.importers.stated import Stated

LIFTED = (
    "agent_exit",
    "verify_exit",
    "verify_report",
    "tests_executed",
    "agent_wrote_tests",
    "changed",
    "changes",
    "provider",
    "gold",
    "baseline_collects",
    "import_target",
    "import_target_in_patch",
    "changed_file_in_traceback",
    "agent_removed_tests",
    "traceback_files",
    "removed_files",
    "deleted",
    "runner",
    "expected",
    "asked",
    "abstained",
    "required_missing",
    "patch_made_by",
    "apply_exit",
    "tool_calls",
    "hidden_tests",
    "outside_allowlist",
)
"""Facts of a run that are columns of a row; the others are read as facts."""


def lift_facts(rows: Sequence[RawRow], _stated: Stated) -> tuple[RawRow, ...]:
    """Collected events of the harness (`facts`) that this reader knows, as columns of their own."""
    return tuple(_lifted(row) for row in rows)


def _lifted(row: RawRow) -> RawRow:
    facts = row.value.get("facts")
    if not isinstance(facts, dict):
        return row
    rest = {key: value for key, value in facts.items() if key not in LIFTED}
    known = {key: facts[key] for key in LIFTED if key in facts and key not in row.value}
    return row.with_values(**known, facts=rest or None)


SHAPE = Shape(
    name="before-after",
    method="M2",
    what="tests green without the agent, tests green after it; also one `meta.json` a run; `facts` may hold what the "
    "harness saw, a `combined.log` and a `report.xml` may lie beside it",
    example='{"run_id": "r1", "task_id": "t1", "tests_without_agent_pass": false, "tests_after_pass": true}',
    signs=frozenset({"tests_after_pass"}),
    prepare=lift_facts,
)
