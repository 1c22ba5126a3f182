"""Logs of failure classes stand beside each other only where both may be cited (M13)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from denominator.compare.standing import standing_of
from denominator.pipeline.sides import rows_result, side_of


def log(folder: Path, seeds: tuple[int, ...], negative: str, **over: object) -> Path:
    tasks = [*(f"p{k}" for k in range(1, 10)), *(["neg"] if negative else [])]
    told = {"seeds": list(seeds), "task_ids": tasks, "timeout": 300, "retry_cap": 0, **over}
    (folder / "header.json").write_text(json.dumps(told))
    for seed in seeds:
        rows = [
            {"task_id": task, "slice": "positive", "outcome": "pass", "seed": seed} for task in tasks if task != "neg"
        ]
        rows += [{"task_id": "neg", "slice": "negative", "outcome": negative, "seed": seed}] if negative else []
        (folder / f"seed-{seed}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


@pytest.mark.parametrize(
    ("seeds", "negative", "over", "says"),
    [
        ((1, 2, 3), "test_fail", {}, ""),
        ((1,), "test_fail", {}, "demonstration"),
        ((1, 2), "test_fail", {}, "3 are the least"),
        ((1, 2, 3), "", {}, "smoke test"),
        ((1,), "test_fail", {"cite_rule": "first-complete"}, ""),
    ],
)
def test_what_keeps_a_log_of_classes_apart(
    seeds: tuple[int, ...], negative: str, over: dict[str, str], says: str, tmp_path: Path
) -> None:
    found = standing_of(side_of("A", rows_result([log(tmp_path, seeds, negative, **over)])[1])).blocked_by
    assert bool(found) is bool(says)
    assert all(one.startswith("GL056 unmet-cite-rule: ") and says in one for one in found)
