"""A file of runs by two agents. The format keeps no plan."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from denominator.testing.importer_bench import Example

RUNS = (
    # run id, task, alias, model, score, who ended it
    ("s_1", "fam/main", "agent a", "a1", 1, None),
    ("s_2", "fam/main", "agent a", "a1", 0, None),
    ("s_3", "fam/other", "agent a", "a1", 0, "usageLimits"),
    ("s_4", "fam/main", "agent b", "b1", 1, None),
)


def examples(folder: Path) -> Sequence[Example]:
    """Three runs of the one, one of the other."""
    lines = [
        {
            "run_id": run, "task_id": task, "score": score / 2, "time_limit": 1800, "started_at": 1734070031112,
            "completed_at": 1734070091112, "task_family": "fam", "alias": alias, "model": model, "fatal_error_from": ended,
            "human_minutes": 5.5, "total_tokens": None, "score_binarized": score, "equal_task_weight": 0.5,
        }
        for run, task, alias, model, score, ended in RUNS
    ]  # fmt: skip
    path = folder / "all_runs.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return (Example(path=path, part="agent a", rows=3), Example(path=path, part="agent b", rows=1))
