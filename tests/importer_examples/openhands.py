"""Output folders of OpenHands benchmarks: with attempts and a report, of an older version, and tables of the index."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from denominator.testing.importer_bench import Example

PATCH = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
METADATA = {
    "llm": {"model": "acme/m-1", "temperature": 0.0, "num_retries": 5, "api_key": "**********", "base_url": "https://x.y"},
    "dataset": "acme/bench", "dataset_split": "test", "max_iterations": 100, "eval_output_dir": "/home/someone/out",
    "eval_limit": 0, "n_critic_runs": 2, "critic": {"kind": "AgentFinishedCritic"}, "max_retries": 3,
    "selected_instances_file": None, "workspace_type": "docker",
}  # fmt: skip


def row(task: str, patch: str | None = PATCH, attempt: int = 1, **over: Any) -> dict[str, Any]:
    """A row without an error; `over` goes into it."""
    usage = {"prompt_tokens": 1000, "completion_tokens": 50, "cache_read_tokens": 900}
    return {
        "instance_id": task, "attempt": attempt, "test_result": {} if patch is None else {"git_patch": patch},
        "instruction": "do it", "metadata": None, "history": [{"kind": "AKindThatNobodyKnows"}],
        "metrics": {"accumulated_cost": 0.5, "accumulated_token_usage": usage}, "error": None, "instance": None,
        "runtime_runs": None,
    } | over  # fmt: skip


def broken(task: str, error: str, **over: Any) -> dict[str, Any]:
    """A row with an error, as the harness makes it."""
    text = f"Instance failed after 3 retries. Last error: {error}"[:200]
    return row(task, None, metrics=None, history=[], error=text, **over)


def report(every: Sequence[str], **states: Sequence[str]) -> dict[str, Any]:
    """A run report over a data set, of state -> ids."""
    submitted = [
        task for state, tasks in states.items() if state in ("resolved", "unresolved", "error") for task in tasks
    ]
    ids = {f"{name}_ids": list(states.get(name, ())) for name in ("resolved", "unresolved", "error", "empty_patch")}
    return {
        "total_instances": len(every), "submitted_instances": len(submitted), "resolved_instances": len(ids["resolved_ids"]),
        "submitted_ids": submitted, "completed_ids": submitted,
        "incomplete_ids": [task for task in every if task not in submitted], "schema_version": 2, **ids,
    }  # fmt: skip


def lines(rows: Sequence[Mapping[str, Any]]) -> str:
    """JSON lines."""
    return "".join(json.dumps(one) + "\n" for one in rows)


def examples(folder: Path) -> Sequence[Example]:
    """The plan is the data set that the report lists."""
    every = ("a__b-1", "a__b-2", "a__b-3")
    first = [row("a__b-1"), row("a__b-2"), row("a__b-3", "")]
    members: dict[str, Any] = {
        "output.critic_attempt_1.jsonl": lines(first), "output.jsonl": lines(first), "metadata.json": METADATA,
        "output.report.json": report(every, resolved=["a__b-1"], unresolved=["a__b-2", "a__b-3"]),
    }  # fmt: skip
    _write(folder / "whole", members)
    less = {"output.critic_attempt_1.jsonl": lines(first[:2]), "output.jsonl": lines(first[:2])}
    _write(folder / "thinned" / "whole", members | less)
    flags = {"empty_generation": False, "resolved": True, "failed_apply_patch": False, "error_eval": False}
    old = [{"instance_id": "a__b-1", "test_result": {"git_patch": PATCH, "report": flags}}]
    _write(folder / "old", {"output.swebench_eval.jsonl": lines(old)})
    table = {"a__b-1": {"resolved": True, "cost": 0.5}, "a__b-2": {"resolved": False, "cost": None}}
    _write(folder / "index" / "m-1", {"instance_results/bench.json": table, "instance_results/other.json": table})
    return (
        Example(path=folder / "whole", rows=3, thinned=folder / "thinned" / "whole"),
        Example(path=folder / "old", rows=1),
        Example(path=folder / "index", part="m-1/bench", rows=2),
    )


def _write(place: Path, members: Mapping[str, Any]) -> None:
    for name, content in members.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
