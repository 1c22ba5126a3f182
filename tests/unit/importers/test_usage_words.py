"""Token counts of foreign rows: what a row says of them beside the numbers decides what the numbers mean."""

from __future__ import annotations

import json
from typing import Any

import pytest

from denominator.importers import import_rows
from denominator.records.rows import Usage


def usage(**row: Any) -> Usage:
    told = {"task_id": "t1", "passed": True, "prompt_tokens": 100, "completion_tokens": 20, **row}
    (found,) = import_rows([("rows.jsonl", json.dumps(told).encode())]).ledger.rows
    return found.usage


@pytest.mark.parametrize(
    ("row", "completion"),
    [
        ({}, 20),
        ({"reasoning_tokens": 7}, 20),
        ({"reasoning_tokens": 7, "usage_convention": "reasoning_beside"}, 27),
        ({"reasoning_tokens": 7, "total_tokens": 127}, 27),
        ({"max_tokens": 10, "calls": 3}, 20),
    ],
    ids=str,
)
def test_what_the_output_is(row: dict[str, Any], completion: int) -> None:
    assert usage(**row).completion == completion


@pytest.mark.parametrize(
    "row",
    [
        {"usage_source": "none"},
        {"reasoning_tokens": 21},
        {"max_tokens": 10},
        {"max_tokens": 10, "calls": 1},
        {"prompt_tokens": 0, "completion_tokens": 0, "passed": False, "timeout": True},
    ],
    ids=str,
)
def test_when_the_counts_are_unknown(row: dict[str, Any]) -> None:
    found = usage(**row)
    assert not isinstance(found.prompt, int)
    assert not isinstance(found.completion, int)
    assert found.complete is not True
