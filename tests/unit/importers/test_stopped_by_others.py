"""Foreign rows without a patch: what the run's cap, the provider or the harness stopped is not the agent's silence."""

from __future__ import annotations

import json
from typing import Any

import pytest

from denominator.importers import import_rows
from denominator.pipeline.results import judge_ledger

WALL = {"wall_s": 2700, "wall_cap_s": 2700}


def labels(row: dict[str, Any]) -> tuple[str, str, str]:
    """Outcome, origin and reason of one row of another harness."""
    told = {"run_id": "r", "task_id": "t1", "attempt": 1, "outcome": "fail", "patch_bytes": 0, **row}
    made = import_rows([("rows.jsonl", json.dumps(told).encode())])
    result = judge_ledger(made.ledger, made.terms)
    said = {one.axis: one.value for one in result.judged.labels if not one.by.startswith("import:")}
    return said["outcome"], said["origin"], said.get("reason", "")


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ({}, ("abstain", "MODEL", "")),
        ({"stop": "cap"}, ("unscoreable", "INFRA", "quota_exhausted")),
        ({"stop": "done"}, ("abstain", "MODEL", "")),
        ({"stop_reason": "run_cap"}, ("unscoreable", "INFRA", "quota_exhausted")),
        ({"stopped_by": "global_cap"}, ("unscoreable", "INFRA", "quota_exhausted")),
        ({"stop_reason": "budget"}, ("fail", "MODEL", "")),
        ({"stop_reason": "infra"}, ("unscoreable", "INFRA", "env_flake")),
        ({"stop_reason": "transport"}, ("unscoreable", "INFRA", "provider_error")),
        ({"stop_reason": "harness"}, ("unscoreable", "HARNESS", "no_verdict")),
        ({"stop_reason": "infra", "exit_code": 1}, ("abstain", "MODEL", "")),
        ({"outcome": "unscoreable", "reason": "quota_exhausted"}, ("unscoreable", "INFRA", "quota_exhausted")),
        ({"outcome": "unscoreable", "reason": "provider_pause"}, ("unscoreable", "INFRA", "provider_pause")),
        ({"outcome": "unscoreable", "reason": "provider_pause", "agent_exit": 0}, ("abstain", "MODEL", "")),
        ({**WALL, "timeout": True, "provider_wait_s": 2600}, ("unscoreable", "INFRA", "provider_pause")),
        ({**WALL, "timeout": True, "paused_ms": 2_600_000}, ("unscoreable", "INFRA", "provider_pause")),
        ({**WALL, "timeout": True, "paused_s": 10}, ("fail", "MODEL", "")),
        ({**WALL, "timeout": True, "working_s": 82, "paused_s": 2618}, ("unscoreable", "INFRA", "provider_pause")),
    ],
    ids=str,
)  # fmt: skip
def test_who_stopped_a_row_without_a_patch(row: dict[str, Any], found: tuple[str, str, str]) -> None:
    assert labels(row) == found


@pytest.mark.parametrize(
    ("more", "origin"), [({"turn": 1}, "HARNESS"), ({"turn": 31}, "MODEL"), ({"turns": 31}, "MODEL"), ({}, "HARNESS")]
)
def test_a_window_that_was_outgrown_later_is_the_agents_whatever_the_column_is_called(more: Any, origin: str) -> None:
    error = {"status": 400, "type": "ContextWindowExceededError"}
    assert labels({"provider_error": error, **more})[1] == origin
    assert labels({"provider_error": {**error, **more}})[1] == ("MODEL" if more.get("turn") == 31 else "HARNESS")


@pytest.mark.parametrize("name", ["model_served", "served_model", "model_echoed"])
def test_the_served_model_has_more_than_one_name(name: str) -> None:
    told = [{"task_id": f"t{n}", "passed": True, "model_asked": "big", name: f"big-{n}"} for n in (1, 2)]
    made = import_rows([("rows.jsonl", "\n".join(map(json.dumps, told)).encode())])
    assert [row.served_models for row in made.ledger.rows] == [("big-1",), ("big-2",)]
    assert {row.asked_model for row in made.ledger.rows} == {"big"}
