"""A new contract with every section; what only its writer knows says REPLACE and is refused by the lock."""

from __future__ import annotations

from denominator.records.events import Json


def contract_template() -> dict[str, Json]:
    """The document of `contract init`."""
    return {
        "schema_version": 1,
        "study": "REPLACE: the question, in one sentence",
        "claim": "REPLACE: the sentence that the count is meant to support, written before the run",
        "task_ids": ["REPLACE: every task id, one by one"],
        "metrics": {
            "task_pass": "tests_green AND patch_applies AND no_forbidden_path AND within_timeout AND not_abstain",
            "abstain": "never a pass",
            "timeout_s": 600,
            "post_lock_exclusion": "forbidden",
        },
        "controls": [
            {"task_id": "REPLACE: a task that must not pass", "expected": "fail", "role": "must_fail"},
        ],
        "access": {
            "host": "REPLACE: host of the endpoint, or local",
            "model_access": "REPLACE: how the model is reached, or none",
            "quota_assumed": False,
            "permanence_assumed": False,
        },
        "envelope": {
            "max_attempts": 1,
            "retry_policy": "none",
            "on_timeout": "fail",
            "invalid_rate_ceiling": "0.10",
        },
        "scorer": "tests",
        "hidden_tests": True,
    }
