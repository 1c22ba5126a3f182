"""Graded samples with the samples beside them, and a copy in which one graded sample is gone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from denominator.testing.importer_bench import Example

GRADED = (
    # task, solution, base, plus
    ("HumanEval/0", "def f(x): return x", "pass", "pass"),
    ("HumanEval/0", "def f(x): return 7", "fail", "fail"),
    ("HumanEval/1", "def g(x): return x + 1", "pass", "fail"),
    ("HumanEval/1", "def g(x): return 1", "fail", "fail"),
)


def examples(folder: Path) -> Sequence[Example]:
    """Two tasks with two samples each, read by either set of tests."""
    for name, many in (("whole", 4), ("thinned", 3)):
        _results(folder / name, many)
    whole, thinned = folder / "whole", folder / "thinned"
    return (Example(path=whole, part="plus", rows=4, thinned=thinned), Example(path=whole, part="base", rows=4))


def _results(folder: Path, many: int) -> None:
    folder.mkdir()
    tasks: dict[str, list[dict[str, object]]] = {}
    for task, solution, base, plus in GRADED[:many]:
        row = {"task_id": task, "solution": solution, "base_status": base, "plus_status": plus}
        tasks.setdefault(task, []).append({**row, "base_fail_tests": [], "plus_fail_tests": []})
    found = {"date": "2026-01-01 10:00", "hash": "h1", "eval": tasks}
    (folder / "m_eval_results.json").write_text(json.dumps(found), encoding="utf-8")
    lines = [json.dumps({"task_id": task, "solution": solution}) for task, solution, _, _ in GRADED]
    (folder / "m.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
