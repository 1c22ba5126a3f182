"""Events under a locked scoring contract."""

from __future__ import annotations

from denominator.importers.clauses import by_contract
from denominator.importers.judgements import from_flag
from denominator.importers.shapes.base import Shape

SHAPE = Shape(
    name="contract-events",
    method="M11",
    what="one boolean a task under a contract that was locked before",
    example='{"task_id": "f1", "task_pass": true, "excluded_after_lock": false}',
    signs=frozenset({"task_pass"}),
    judge=from_flag("task_pass"),
    judges="task_pass",
    prepare=by_contract,
    needs=("contract (scoring_contract.json)",),
    wants=("probe (narration_probe.json)",),
)
