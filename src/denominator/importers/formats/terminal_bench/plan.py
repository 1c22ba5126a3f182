"""What a run scheduled and under which conditions: from its metadata and its lock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from denominator.importers.carried import carried
from denominator.importers.foreign import declared, readable_id, undeclared
from denominator.importers.formats.terminal_bench.layout import METADATA, MOST_NAMED, Place, table, whole, word
from denominator.records.declarations import Declaration
from denominator.records.foreign import Told

NO_PLAN = "neither run_metadata.json nor tb.lock is there, and results.json holds only the trials that ended"
NO_IDS = "neither run_metadata.json nor tb.lock lists the tasks"
MOST_ATTEMPTS = 10_000
NO_COMMIT = ("unknown", "")


def plan_of(run_id: str, place: Place, metadata: Mapping[str, Any], lock: Mapping[str, Any], told: Told) -> Declaration:
    """The listed tasks, each `n_attempts` times; only a number where none are listed."""
    where, attempts = place.file(METADATA), attempts_of(metadata, lock)
    if attempts is not None and attempts > MOST_ATTEMPTS:
        told.say("bad_plan", where, f"n_attempts is {str(attempts)[:20]}: no run has so many")
        return undeclared(run_id, "the number of attempts that is recorded cannot be meant")
    if attempts is None:
        why = "the number of attempts a task is recorded nowhere" if metadata or lock else NO_PLAN
        return undeclared(run_id, why)
    locked = table(lock.get("dataset")).get("task_ids")
    listed = metadata.get("task_ids") or locked
    size = whole(metadata.get("dataset_size"))
    if not isinstance(listed, list) or not listed:
        return undeclared(run_id, NO_IDS, None if size is None else size * attempts)
    ids = [task for one in listed if (task := readable_id(told, where, one))]
    _hold_against(where, ids, locked, size, told)
    counted = Counter(ids)
    if twice := sorted(task for task, times in counted.items() if times > 1):
        what = f"{len(twice)} ids stand more than once in the plan: each counts once"
        told.say("declared_twice", where, what, *twice[:MOST_NAMED], blocks=False)
    return declared(run_id, tuple(counted), attempts)


def _hold_against(where: str, ids: list[str], locked: object, size: int | None, told: Told) -> None:
    """Metadata, lock and the size of the data set speak of the same tasks."""
    if size is not None and size != len(set(ids)):
        told.say("plan_differs", where, f"{len(set(ids))} tasks are listed, dataset_size is {size}")
    names = {one for one in locked if isinstance(one, str)} if isinstance(locked, list) else set()
    if names and (other := sorted(names ^ set(ids))):
        told.say("plan_differs", where, "tb.lock and run_metadata.json list other tasks", *other[:MOST_NAMED])


def attempts_of(metadata: Mapping[str, Any], lock: Mapping[str, Any]) -> int | None:
    """How often each task was to run."""
    return whole(metadata.get("n_attempts")) or whole(table(lock.get("run_config")).get("n_attempts"))


def conditions(metadata: Mapping[str, Any], lock: Mapping[str, Any]) -> dict[str, object]:
    """What a run records of its conditions. User name, bucket and paths are its owner's, and stay where they are."""
    harness, agent, config = table(lock.get("harness")), table(lock.get("agent")), table(lock.get("run_config"))
    data, commit = table(lock.get("dataset")), word(metadata.get("commit_hash"))
    multiplier = config.get("global_timeout_multiplier")
    found: dict[str, object] = {
        "name": metadata.get("dataset_name") or data.get("name"),
        "dataset_version": metadata.get("dataset_version") or data.get("version"),
        "harness_version": harness.get("version"),
        "harness_commit": None if commit in NO_COMMIT else commit,
        "harness_is_editable": harness.get("is_editable_installation") or None,
        "agent_id": metadata.get("agent_name") or agent.get("name"),
        "agent_import_path": agent.get("import_path"),
        "agent_kwargs": metadata.get("agent_kwargs") or agent.get("extra_kwargs"),
        "model_id": metadata.get("model_name") or agent.get("model_name"),
        "repeats": attempts_of(metadata, lock),
        "concurrency": metadata.get("n_concurrent_trials") or config.get("n_concurrent_trials"),
        "timeout_multiplier": multiplier,
        "wall_cap_s": config.get("global_agent_timeout_sec") if multiplier in (None, 1) else None,
        "verify_timeout_s": config.get("global_test_timeout_sec") if multiplier in (None, 1) else None,
        "invocation_args": table(lock.get("invocation")).get("args"),
        "started_at_utc": metadata.get("start_time"),
        "finished_at_utc": metadata.get("end_time"),
    }
    return {name: carried(value) for name, value in found.items() if value not in (None, "", {}, [])}
