"""A run of aider's benchmark, and a copy in which the record of one exercise is gone and its folder is not."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from denominator.testing.importer_bench import Example

RESULT = {
    "model": "acme/m", "edit_format": "diff", "commit_hash": "abc1234", "cost": 0.5, "duration": 12.5, "test_timeouts": 0,
    "prompt_tokens": 1000, "completion_tokens": 200, "thinking_tokens": None, "num_error_outputs": 0, "chat_hashes": [],
}  # fmt: skip
OUTCOMES = {
    "python/bowling": [True],
    "go/bowling": [False, True],
    "rust/forth": [False, False],
    "cpp/clock": [False, False],
}


def examples(folder: Path) -> Sequence[Example]:
    """Four exercises in four languages."""
    for name, left_out in (("whole", ""), ("thinned", "rust/forth")):
        for task, outcomes in OUTCOMES.items():
            _exercise(folder / name, task, None if task == left_out else outcomes)
    return (Example(path=folder / "whole", rows=4, thinned=folder / "thinned"),)


def _exercise(folder: Path, task: str, outcomes: list[bool] | None) -> None:
    language, name = task.split("/")
    place = folder / "2026-01-02--demo" / language / "exercises" / "practice" / name
    place.mkdir(parents=True)
    (place / "instructions.md").write_text("do it", encoding="utf-8")
    if outcomes is not None:
        row = {"testdir": f"tmp/2026-01-02--demo/{language}/exercises/practice/{name}", "testcase": name, **RESULT}
        text = json.dumps(row | {"tests_outcomes": outcomes})
        (place / ".aider.results.json").write_text(text, encoding="utf-8")
