"""Events that state the clauses of a pass one by one, under a locked scoring contract."""

from __future__ import annotations

from denominator.importers.clauses import by_contract, states_clauses
from denominator.importers.judgements import from_flag
from denominator.importers.shapes.base import Shape

SHAPE = Shape(
    name="contract-clauses",
    method="M11",
    what="the truth of each clause of a pass a task, under a contract that was locked before",
    example='{"task_id": "f1", "tests_green": true, "patch_applies": true, "no_forbidden_path": true, "wall_seconds": 41.5}',
    signs=frozenset({"tests_green"}),
    test=states_clauses,
    judge=from_flag("task_pass"),
    prepare=by_contract,
    needs=("contract (scoring_contract.json)",),
    wants=("probe (narration_probe.json)",),
)
