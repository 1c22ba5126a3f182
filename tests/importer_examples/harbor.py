"""Harbor jobs as its own writer lays them out, made by hand: a job of two tasks with two attempts, one trial alone, a folder of jobs."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from denominator.testing.importer_bench import Example

AGENT = {"name": "coder", "import_path": None, "model_name": "lab/model-1", "kwargs": {}}
DIGEST = {"alpha": "sha256:" + "a" * 64, "beta": "sha256:" + "b" * 64}


def examples(folder: Path) -> Sequence[Example]:
    """A job, a job of a folder of two, a trial alone."""
    job(folder / "job")
    shutil.copytree(folder / "job", folder / "thinned")
    shutil.rmtree(folder / "thinned" / "beta__0000002")
    job(folder / "jobs" / "one")
    job(folder / "jobs" / "two", rewards=(1, 1, 0, 1))
    trial(folder / "alone" / "alpha__0000009", "alpha", {"reward": 1.0})
    return (
        Example(path=folder / "job", rows=4, thinned=folder / "thinned"),
        Example(path=folder / "jobs", part="two", rows=4),
        Example(path=folder / "alone" / "alpha__0000009", rows=1),
    )


def job(root: Path, rewards: Sequence[Any] = (1, 0, 0, 1), **lock: Any) -> Path:
    """Two tasks, two attempts of each: alpha, beta, alpha, beta in the order in which they began."""
    root.mkdir(parents=True)
    names = ("alpha", "beta", "alpha", "beta")
    for number, (task, reward) in enumerate(zip(names, rewards, strict=True)):
        at = f"2026-11-29T10:0{number}:00Z"
        trial(root / f"{task}__000000{number + 1}", task, {"reward": float(reward)}, started=at)
    write(root / "config.json", config(2))
    write(root / "lock.json", job_lock(names) | lock)
    write(root / "result.json", job_result(4))
    return root


def config(attempts: int, **more: Any) -> dict[str, Any]:
    """The configuration of a job over a data set."""
    return {
        "schema_version": 1, "job_name": "job", "jobs_dir": "/home/somebody/jobs", "n_attempts": attempts,
        "timeout_multiplier": 1.0, "n_concurrent_trials": 2, "retry": {"max_retries": 0}, "agents": [AGENT],
        "datasets": [{"path": "/home/somebody/tasks", "task_names": None, "n_tasks": None}], "tasks": [],
    } | more  # fmt: skip


def job_lock(tasks: Sequence[str], **more: Any) -> dict[str, Any]:
    """A lock: one entry a trial."""
    return {
        "schema_version": 3, "created_at": "2026-11-29T09:59:00Z", "harbor": {"version": "0.26.0", "git_commit_hash": "c0ffee"},
        "n_concurrent_trials": 2, "retry": {"max_retries": 0}, "trials": [trial_lock(task) for task in tasks],
    } | more  # fmt: skip


def trial_lock(task: str, agent: Mapping[str, Any] = AGENT) -> dict[str, Any]:
    """What a trial was resolved to; nothing that is null stands in it."""
    kept = {name: value for name, value in agent.items() if value is not None}
    path = f"/home/somebody/tasks/{task}"
    named = {
        "name": task,
        "type": "local",
        "digest": DIGEST.get(task, "sha256:" + "c" * 64),
        "source": "tasks",
        "path": path,
    }
    return {
        "schema_version": 2,
        "task": named,
        "agent": kept,
        "environment": {"import_path": "boxes:Box"},
        "timeout_multiplier": 1.0,
    }


def job_result(total: int, **more: Any) -> dict[str, Any]:
    """The numbers that a job prints of itself."""
    evals = {
        "coder__lab/model-1__tasks": {"n_trials": 4, "n_errors": 0, "metrics": [{"mean": 0.5}], "pass_at_k": {"2": 1.0}}
    }
    stats = {"n_completed_trials": total, "n_errored_trials": 0, "n_retries": 0, "evals": evals}
    began, ended = "2026-11-29T11:00:00.1", "2026-11-29T11:09:00.1"
    return {
        "schema_version": 1,
        "id": "j",
        "started_at": began,
        "finished_at": ended,
        "n_total_trials": total,
        "stats": stats,
    } | more


def trial(
    root: Path,
    task: str,
    rewards: Mapping[str, Any] | None,
    exception: str = "",
    *,
    started: str = "2026-11-29T10:00:00Z",
    policy: Mapping[str, bool] | None = None,
    **more: Any,
) -> Path:
    """A trial folder. `policy` stands in the exception where newer versions write it."""
    began = "2026-11-29T10:00:{:02}.500Z".format
    raised = {"exception_type": exception, "exception_message": "m", "exception_traceback": "t"}
    if policy is not None:
        raised["policy"] = dict(policy)
    result = {
        "schema_version": 1, "id": f"id of {root}", "task_name": f"demo/{task}", "trial_name": root.name, "source": "tasks",
        "trial_uri": f"file://{root}", "task_id": {"path": f"/home/somebody/tasks/{task}"}, "task_checksum": "d1",
        "config": {"task": {"path": f"/home/somebody/tasks/{task}", "source": "tasks"}, "trial_name": root.name, "agent": AGENT},
        "agent_info": {"name": "coder", "version": "1.2"},
        "agent_result": {"n_input_tokens": 900, "n_cache_tokens": 100, "n_output_tokens": 50, "cost_usd": 0.25},
        "verifier_result": None if rewards is None else {"rewards": dict(rewards)},
        "exception_info": raised if exception else None,
        "started_at": started, "finished_at": began(40),
        "environment_setup": {"started_at": began(1), "finished_at": began(2)},
        "agent_setup": {"started_at": began(2), "finished_at": began(4)},
        "agent_execution": {"started_at": began(4), "finished_at": began(30)},
        "verifier": {"started_at": began(31), "finished_at": began(33)},
        "reward_valid": rewards is not None,
    } | more  # fmt: skip
    root.mkdir(parents=True)
    write(root / "result.json", result)
    write(root / "config.json", result["config"])
    write(root / "lock.json", trial_lock(task))
    return root


def write(path: Path, value: Any) -> None:
    """A JSON file, its folder made where it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
