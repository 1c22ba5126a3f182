"""Folders of the datastore: a document with two results and rows of both, one with a plan, one without rows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from denominator.testing.importer_bench import Example

Table = dict[str, Any]
NAME = "data/toy/lab/m-1/12345678-1234-4234-8234-123456789abc"
EVALUATION = "toy/lab/m-1/1767607200"


def result(name: str = "accuracy", score: object = 0.5, *, ids: Sequence[str] = (), **over: Any) -> Table:
    """One result; `ids` are those of the dataset."""
    data: Table = {"dataset_name": "toy", "source_type": "hf_dataset", "hf_repo": "lab/toy"}
    if ids:
        data |= {"samples_number": len(ids), "sample_ids": list(ids)}
    return {
        "evaluation_result_id": f"{EVALUATION}/{name}", "evaluation_name": "toy", "source_data": data,
        "metric_config": {"metric_name": name, "lower_is_better": False, "metric_unit": "proportion", "min_score": 0, "max_score": 1},
        "score_details": {"score": score, "uncertainty": {"num_samples": 4}},
        "generation_config": {"generation_args": {"temperature": 0, "max_tokens": 64, "eval_limits": {"time_limit": 60}}},
    } | over  # fmt: skip


def document(*results: Table, rows: str = "", **over: Any) -> Table:
    """An aggregate document; `rows` is the content of the file of rows."""
    found: Table = {
        "schema_version": "0.3.0", "evaluation_id": EVALUATION, "retrieved_timestamp": "1767607200",
        "evaluation_timestamp": "2026-01-05T10:00:00Z",
        "source_metadata": {
            "source_type": "evaluation_run", "source_organization_name": "lab", "evaluator_relationship": "other",
        },
        "eval_library": {"name": "inspect_ai", "version": "0.3.285"},
        "model_info": {
            "name": "m-1", "id": "lab/m-1", "developer": "lab",
            "additional_details": {"deployment_type": "unknown", "model_availability": "unknown"},
        },
        "evaluation_results": list(results),
    }  # fmt: skip
    if rows:
        found["detailed_evaluation_results"] = {
            "format": "jsonl", "file_path": f"{NAME}_samples.jsonl", "hash_algorithm": "sha256",
            "checksum": hashlib.sha256(rows.encode()).hexdigest(), "total_rows": rows.count("\n"),
        }  # fmt: skip
    return found | over


def row(sample: str, correct: object = True, score: object = None, metric: str = "accuracy", **over: Any) -> Table:
    """A row of a result."""
    return {
        "schema_version": "0.3.0", "evaluation_id": EVALUATION, "model_id": "lab/m-1", "evaluation_name": "toy",
        "evaluation_result_id": f"{EVALUATION}/{metric}", "sample_id": sample, "interaction_type": "agentic",
        "input": {"raw": "fix it", "reference": ["hidden"]}, "output": None, "messages": [], "answer_attribution": [],
        "evaluation": {"score": (1.0 if correct else 0.0) if score is None else score, "is_correct": correct, "num_turns": 3},
        "token_usage": {"input_tokens": 90, "output_tokens": 10, "total_tokens": 100}, "performance": {"latency_ms": 1500.4},
        "error": None, "metadata": {"epoch": "1"},
    } | over  # fmt: skip


def lines(rows: Sequence[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(one) + "\n" for one in rows)


def folder(rows: Sequence[Table], *results: Table, **over: Any) -> dict[str, Any]:
    """The members of a folder."""
    content = lines(rows)
    return {f"{NAME}.json": document(*(results or (result(),)), rows=content, **over), f"{NAME}_samples.jsonl": content}


def small() -> list[Table]:
    """Four samples: right, wrong, one with an error, one drawn twice."""
    error = row("c", False, error="the sandbox died")
    return [row("a"), row("b", False), error, row("d"), row("d", False, metadata={"epoch": "2"})]


def examples(place: Path) -> Sequence[Example]:
    """One of two results; a plan of ids, and a copy without one row."""
    other = [{**one, "evaluation_result_id": f"{EVALUATION}/speed"} for one in small()]
    _write(place / "two", folder([*small(), *other], result(), result("speed")))
    once = small()[:4]
    listed = result(ids=("a", "b", "c", "d"))
    _write(place / "listed", folder(once, listed))
    _write(place / "less", folder(once[1:], listed))
    return (
        Example(path=place / "two", part=f"{EVALUATION}/accuracy", rows=5),
        Example(path=place / "listed", rows=4, thinned=place / "less"),
    )


def _write(place: Path, members: dict[str, Any]) -> None:
    for name, content in members.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
