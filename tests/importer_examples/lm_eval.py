"""Output folders of lm-eval: results and samples of one task under two filters, and of a task with two metrics."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from denominator.testing.importer_bench import Example

STAMP = "2026-01-05T10-00-00.123456"
HASH = "ab" * 32
Table = dict[str, Any]


def row(doc: object, value: object, filter_: str = "first", metric: str = "exact_match", **over: Any) -> Table:
    """A line of samples. `over` goes on top, None takes a field away."""
    found = {
        "doc_id": doc, "doc": {"q": "Q"}, "target": "x", "arguments": {}, "resps": [["x"]], "filtered_resps": ["x"],
        "filter": filter_, "metrics": [metric], "doc_hash": HASH, "prompt_hash": HASH, "target_hash": HASH, metric: value,
    } | over  # fmt: skip
    return {name: one for name, one in found.items() if one is not None}


def results(task: str = "toy", original: int = 3, effective: int = 3, **over: Any) -> Table:
    """A file of results of one task under the filters first and strict."""
    numbers = {"alias": task, "sample_len": effective}
    for filter_ in ("first", "strict"):
        numbers |= {f"exact_match,{filter_}": 0.5, f"exact_match_stderr,{filter_}": 0.25}
    return {
        "results": {task: numbers}, "group_subtasks": {}, "versions": {task: 1.0}, "n-shot": {task: 0},
        "configs": {task: {"task": task, "dataset_path": "json", "output_type": "generate_until", "repeats": 1}},
        "higher_is_better": {task: {"exact_match": True}},
        "n-samples": {task: {"original": original, "effective": effective}},
        "config": {"model": "hf", "model_args": "pretrained=acme/m,api_key=hush", "limit": None, "random_seed": 0},
        "git_hash": "abc1234", "date": 1767607200.5, "lm_eval_version": "0.4.13", "task_hashes": {task: HASH},
        "model_source": "hf", "model_name": "acme/m", "model_name_sanitized": "acme__m",
        "total_evaluation_time_seconds": "12.5",
    } | over  # fmt: skip


def lines(*rows: Table) -> str:
    """JSON lines."""
    return "".join(json.dumps(one) + "\n" for one in rows)


def folder(rows: Sequence[Table], found: Table | None = None, task: str = "toy") -> dict[str, Any]:
    """The members of an output folder."""
    members: dict[str, Any] = {f"acme__m/samples_{task}_{STAMP}.jsonl": lines(*rows)}
    return members | ({f"acme__m/results_{STAMP}.json": found} if found is not None else {})


def small() -> list[Table]:
    """Three documents under two filters."""
    first = [row(0, 1.0), row(1, 0.0), row(2, 1.0)]
    return [*first, *({**one, "filter": "strict"} for one in first)]


def examples(place: Path) -> Sequence[Example]:
    """A filter chosen, and the file of samples alone."""
    _write(place / "two", folder(small(), results()))
    _write(place / "less", folder(small()[1:], results()))
    _write(place / "alone", folder(small()[:3]))
    return (
        Example(path=place / "two", part="toy,first", rows=3, thinned=place / "less"),
        Example(path=place / "alone" / "acme__m" / f"samples_toy_{STAMP}.jsonl", rows=3),
    )


def _write(place: Path, members: dict[str, Any]) -> None:
    for name, content in members.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
