"""Output folders of mini-swe-agent: one of version 2, one of version 1 with its log, and a single trajectory."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from denominator.testing.importer_bench import Example

PATCH = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
USAGE = {"prompt_tokens": 100, "completion_tokens": 10, "prompt_tokens_details": {"cached_tokens": 40}}
CONFIG = {
    "agent": {"system_template": "s", "instance_template": "{{task}}", "step_limit": 250, "cost_limit": 3.0},
    "agent_type": "minisweagent.run.benchmarks.utils.common.ProgressTrackingAgent",
    "model": {"model_name": "acme/m-1", "model_kwargs": {"temperature": 0.0}},
    "model_type": "minisweagent.models.litellm_model.LitellmModel",
    "environment": {"cwd": "/testbed", "env": {}, "timeout": 60},
    "environment_type": "minisweagent.environments.docker.DockerEnvironment",
}


def trajectory(task: str, status: str | None, submission: str | None, **over: Any) -> dict[str, Any]:
    """A trajectory of version 2 with one call; `over` goes into `info`."""
    info = {
        "model_stats": {"instance_cost": 0.25, "api_calls": 1}, "config": CONFIG, "mini_version": "2.4.6",
        "exit_status": status, "submission": submission,
    }  # fmt: skip
    answer = {"response": {"model": "acme/m-1", "usage": USAGE}, "cost": 0.25, "timestamp": 1764500000.5}
    messages = [
        {"role": "system", "content": "s"},
        {"role": "user", "content": "fix it"},
        {"role": "assistant", "content": "t", "extra": answer},
        {"role": "exit", "content": "", "extra": {"exit_status": status, "submission": submission}},
    ]
    return {
        "info": info | over,
        "messages": messages,
        "trajectory_format": "mini-swe-agent-1.1",
        "instance_id": task,
    }


def folder(endings: dict[str, tuple[str, str]]) -> dict[str, Any]:
    """The members of an output folder, of task -> (exit status, patch)."""
    by_status: dict[str, list[str]] = {}
    members: dict[str, Any] = {}
    for task, (status, patch) in endings.items():
        by_status.setdefault(status, []).append(task)
        members[f"{task}/{task}.traj.json"] = trajectory(task, status, patch)
    members["preds.json"] = {
        task: {"model_name_or_path": "acme/m-1", "instance_id": task, "model_patch": patch}
        for task, (_, patch) in endings.items()
    }
    members["exit_statuses_1764500000.0.yaml"] = json.dumps({"instances_by_exit_status": by_status})
    return members


def examples(folder_: Path) -> Sequence[Example]:
    """The format keeps no plan, but for the number in the log of a run that was started once."""
    every = {"a__b-1": ("Submitted", PATCH), "a__b-2": ("Submitted", ""), "a__b-3": ("LimitsExceeded", "")}
    _write(folder_ / "two", folder(every))
    _write(folder_ / "logged", folder(every) | {"minisweagent.log": LOG})
    thinned = folder({task: end for task, end in every.items() if task != "a__b-2"})
    _write(folder_ / "thinned" / "logged", thinned | {"minisweagent.log": LOG})
    _write(folder_, {"one.traj.json": trajectory("one", "Submitted", PATCH)})
    return (
        Example(path=folder_ / "two", rows=3),
        Example(path=folder_ / "logged", rows=3, thinned=folder_ / "thinned" / "logged"),
        Example(path=folder_ / "one.traj.json", rows=1),
    )


LOG = (
    "2026-01-01 10:00:00,000 - minisweagent - INFO - Results will be saved to out\n"
    "2026-01-01 10:00:01,000 - minisweagent - INFO - Running on 3 instances...\n"
)


def _write(place: Path, members: dict[str, Any]) -> None:
    for name, content in members.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
