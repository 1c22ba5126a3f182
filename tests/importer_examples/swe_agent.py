"""Output folders of SWE-agent: one of version 1, one of versions 0.x, and a single trajectory."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from denominator.testing.importer_bench import Example

PATCH = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
CONFIG = {
    "env": {"deployment": {"image": "tiny", "type": "docker"}},
    "agent": {
        "type": "default",
        "templates": {"system_template": "s", "instance_template": "i"},
        "tools": {"execution_timeout": 30, "total_execution_timeout": 1800},
        "model": {
            "name": "acme/m-1", "per_instance_cost_limit": 3.0, "total_cost_limit": 0.0, "per_instance_call_limit": 0,
            "temperature": 0.0, "api_key": None, "retry": {"retries": 20},
        },
        "max_requeries": 3,
    },
    "problem_statement": {"path": "problems/x.md"},
}  # fmt: skip


def trajectory(status: str | None, submission: str | None, **over: Any) -> dict[str, Any]:
    """A trajectory of version 1 with two steps; `over` goes into it."""
    stats = {"instance_cost": 0.5, "tokens_sent": 1000, "tokens_received": 50, "api_calls": 2}
    step = {"action": "ls", "observation": "x", "response": "r", "thought": "t", "execution_time": 0.25, "state": {}}
    info = {
        "exit_status": status, "submission": submission, "model_stats": stats, "swe_agent_version": "1.1.0",
        "swe_agent_hash": "a" * 40, "swe_rex_version": "1.4.0",
    }  # fmt: skip
    made = {
        "trajectory": [step, step], "history": [], "info": info, "replay_config": json.dumps(CONFIG), "environment": "main"
    }  # fmt: skip
    return made | over


def folder(endings: dict[str, tuple[str | None, str | None]]) -> dict[str, Any]:
    """The members of an output folder, of id -> (exit status, submission)."""
    by_status: dict[str, list[str]] = {}
    members: dict[str, Any] = {}
    merged = {}
    for task, (status, patch) in endings.items():
        by_status.setdefault(status or "null", []).append(task)
        prediction = {"model_name_or_path": "default__acme--m-1", "instance_id": task, "model_patch": patch}
        members[f"{task}/{task}.traj"] = trajectory(status, patch)
        members[f"{task}/{task}.pred"] = prediction
        members[f"{task}/{task}.config.yaml"] = json.dumps(json.dumps(CONFIG))
        merged[task] = dict(prediction)
    text = "".join(
        f"  {json.dumps(word) if word != 'null' else word}: {json.dumps(ids)}\n" for word, ids in by_status.items()
    )
    members["preds.json"] = merged
    members["run_batch_exit_statuses.yaml"] = f"instances_by_exit_status:\n{text}total_cost: 1.5\n"
    return members


def examples(folder_: Path) -> Sequence[Example]:
    """The format keeps no plan."""
    every = {"a__b-1": ("submitted", PATCH), "a__b-2": ("submitted (exit_cost)", PATCH), "a__b-3": ("exit_cost", None)}
    _write(folder_ / "one", folder(every))
    old = {"environment": "swe_main", "trajectory": [], "history": [], "info": {"exit_status": "submitted"}}
    old["info"] = {"exit_status": "submitted", "submission": PATCH, "model_stats": {"api_calls": 1, "tokens_sent": 5}}
    line = json.dumps({"model_name_or_path": "m", "instance_id": "a__b-1", "model_patch": PATCH})
    _write(folder_ / "old", {"trajs/a__b-1.traj": old, "all_preds.jsonl": line + "\n", "args.yaml": json.dumps(ARGS)})
    _write(folder_, {"alone.traj": trajectory("submitted", PATCH)})
    return (
        Example(path=folder_ / "one", rows=3),
        Example(path=folder_ / "old", rows=1),
        Example(path=folder_ / "alone.traj", rows=1),
    )


ARGS = {"agent": {"model": {"model_name": "m-0", "temperature": 0.0, "per_instance_cost_limit": 3.0}}}


def _write(place: Path, members: dict[str, Any]) -> None:
    for name, content in members.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
