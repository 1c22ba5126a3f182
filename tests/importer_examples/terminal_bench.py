"""Runs of Terminal-Bench as its own writer lays them out, made by hand: two tasks with two attempts, alone and with a copy inside."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from denominator.testing.importer_bench import Example

FLAGS = {("alpha", 1): True, ("alpha", 2): False, ("beta.hard", 1): True, ("beta.hard", 2): None}


def examples(folder: Path) -> Sequence[Example]:
    """A run, a folder of two of which one holds a copy of the other, the results of a run alone."""
    run(folder / "run-1")
    run(folder / "thinned" / "run-1", {key: flag for key, flag in FLAGS.items() if key != ("beta.hard", 2)})
    run(folder / "board" / "run-1")
    run(folder / "board" / "run-2", dict.fromkeys(FLAGS, True), run_id="run-2")
    shutil.copytree(folder / "board" / "run-2", folder / "board" / "run-1" / "run-2")
    write(folder / "results.json", results(FLAGS, "run-1"))
    return (
        Example(path=folder / "run-1", rows=4, thinned=folder / "thinned" / "run-1"),
        Example(path=folder / "board", part="run-1", rows=4),
        Example(path=folder / "results.json", rows=4),
    )


def run(root: Path, flags: Mapping[tuple[str, int], bool | None] = FLAGS, run_id: str = "run-1") -> Path:
    """A run folder; each trial with its own results too."""
    table = results(flags, run_id)
    write(root / "results.json", table)
    write(root / "run_metadata.json", metadata(run_id))
    write(root / "tb.lock", lock(run_id))
    for one in table["results"]:
        write(root / one["task_id"] / one["trial_name"] / "results.json", one)
    return root


def results(flags: Mapping[tuple[str, int], bool | None], run_id: str, **more: Any) -> dict[str, Any]:
    """The table of a run; a null has the mode that explains it."""
    rows = [
        trial(task, k, flag, "parse_error" if flag is None else "unset", run_id=run_id)
        for (task, k), flag in flags.items()
    ]
    return {
        "id": "r", "results": rows, "pass_at_k": {"2": 1.0}, "n_resolved": sum(one is True for one in flags.values()),
        "n_unresolved": sum(one is not True for one in flags.values()), "accuracy": 0.5,
        "resolved_ids": [task for (task, _), flag in flags.items() if flag],
        "unresolved_ids": [task for (task, _), flag in flags.items() if not flag],
    } | more  # fmt: skip


def trial(
    task: str, k: int, flag: Any, mode: Any = "unset", *, run_id: str = "run-1", n: int = 2, **more: Any
) -> dict[str, Any]:
    """One trial, its tests as its flag says."""
    at = "2026-08-16T02:{}+00:00".format
    tests = None if flag is None else {"test_one": "passed", "test_two": "passed" if flag else "failed"}
    return {
        "id": f"{task}-{k}", "trial_name": f"{task}.{k}-of-{n}.{run_id}", "task_id": task, "instruction": "do it",
        "is_resolved": flag, "failure_mode": mode, "parser_results": tests, "recording_path": "/home/somebody/x.cast",
        "total_input_tokens": 40, "total_output_tokens": 4, "trial_started_at": at("10:00.5"), "trial_ended_at": at("12:00.5"),
        "agent_started_at": at("10:10.5"), "agent_ended_at": at("11:10.5"),
        "test_started_at": at("11:11.0"), "test_ended_at": at("11:21.0"),
    } | more  # fmt: skip


def metadata(run_id: str, **more: Any) -> dict[str, Any]:
    """What a run writes of itself."""
    return {
        "run_id": run_id, "uuid": "u", "dataset_path": None, "dataset_name": "core", "dataset_version": "0.1.1",
        "output_path": "/home/somebody/runs", "agent_name": "coder", "task_ids": ["alpha", "beta.hard"], "exclude_task_ids": None,
        "n_concurrent_trials": 4, "n_attempts": 2, "dataset_size": 2, "accuracy": 0.5, "model_name": "lab/model-1",
        "start_time": "2026-08-16T02:09:00+00:00", "end_time": "2026-08-16T02:13:00+00:00", "commit_hash": "unknown",
        "username": "somebody", "s3_bucket": "a-bucket", "agent_kwargs": None, "pass_at_k": {"2": 1.0}, "resumed_at": None,
    } | more  # fmt: skip


def lock(run_id: str, **more: Any) -> dict[str, Any]:
    """The lock of a run."""
    words = [
        "run",
        "-a",
        "coder",
        "--output-path",
        "/home/somebody/runs",
        "--agent-kwarg",
        "api_key=abc",
        "--n-concurrent",
        "4",
    ]
    return {
        "lockfile_version": "1.0", "created_at": "2026-08-15T19:28:25-07:00", "invocation": {"command": "tb", "args": words},
        "harness": {"package": "terminal-bench", "version": "0.2.15", "is_editable_installation": False},
        "agent": {"name": "coder", "import_path": None, "model_name": "lab/model-1", "extra_kwargs": {"api_key": "abc", "x": 1}},
        "run_config": {
            "n_concurrent_trials": 4, "n_attempts": 2, "global_timeout_multiplier": 1.0, "global_agent_timeout_sec": 600,
        },
        "dataset": {"name": "core", "version": "0.1.1", "task_ids": ["alpha", "beta.hard"]},
        "local_config": {"output_path": "/home/somebody/runs", "run_id": run_id},
    } | more  # fmt: skip


def write(path: Path, value: Any) -> None:
    """A JSON file, its folder made where it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
