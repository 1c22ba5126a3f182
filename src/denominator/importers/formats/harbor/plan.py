"""What a job scheduled and under which conditions: from its lock, else from its configuration; never from its trial folders."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from denominator.importers.carried import carried
from denominator.importers.foreign import readable_id, undeclared
from denominator.importers.formats.harbor.endings import TIMEOUT
from denominator.importers.formats.harbor.layout import Agent, identity_of, table, tables, word
from denominator.records.declarations import Declaration, DeclaredTasks
from denominator.records.foreign import Told

GLOBS = frozenset("*?[")
MOST_NAMED = 20
MOST_ATTEMPTS = 10_000


@dataclass(slots=True)
class Plan:
    """The draws by task, the digest of each task as locked, and the sources of each task name (two: the name alone is no id)."""

    draws: Counter[str] = field(default_factory=Counter)
    digests: dict[str, set[str]] = field(default_factory=dict)
    sources: dict[str, set[str]] = field(default_factory=dict)

    def id_of(self, name: str, source: str) -> str:
        """The id of a task: its name, with its data set before it where two of them hold the name."""
        return f"{source}/{name}" if source and len(self.sources.get(name, ())) > 1 else name


def task_name(task: Mapping[str, Any]) -> str:
    """The name of a task as Harbor makes it: that of a package, or the last folder of a path."""
    if org := word(task.get("org")):
        return f"{org}/{word(task.get('name'))}"
    path = word(task.get("path")).rstrip("/\\")
    return path.replace("\\", "/").rpartition("/")[2] or word(task.get("name"))


def of_lock(lock: Mapping[str, Any], agent: Agent | None, where: str, told: Told) -> Plan:
    """One entry a trial that was to run."""
    plan, listed = Plan(), lock.get("trials")
    entries = [one for one in tables(listed) if agent is None or identity_of(table(one.get("agent"))) == agent.identity]
    if isinstance(listed, list) and len(tables(listed)) != len(listed):
        told.say("broken_plan", where, "entries of the lock are no objects, so the plan is not complete")
    named = [(word(task.get("name")), word(task.get("source")), word(task.get("digest"))) for task in _tasks(entries)]
    for name, source, _ in named:
        plan.sources.setdefault(name, set()).add(source)
    for name, source, digest in named:
        if task := readable_id(told, where, plan.id_of(name, source)):
            plan.draws[task] += 1
            plan.digests.setdefault(task, set()).add(digest)
    if mixed := sorted(task for task, found in plan.digests.items() if len(found) > 1):
        told.say("mixed_content", where, "one name stands for tasks of different content", *mixed[:MOST_NAMED])
    return plan


def _tasks(entries: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [table(one.get("task")) for one in entries]


def of_config(config: Mapping[str, Any], where: str, told: Told) -> Plan | None:
    """Tasks that are listed one by one, each `n_attempts` times; None where a data set is named and not its tasks."""
    names = [(task_name(one), word(one.get("source"))) for one in tables(config.get("tasks"))]
    for one in tables(config.get("datasets")):
        listed = one.get("task_names")
        if not isinstance(listed, list) or not listed or one.get("n_tasks") or one.get("exclude_task_names"):
            return None
        if any(not isinstance(name, str) or GLOBS & set(name) for name in listed):
            return None
        source = word(one.get("name")) or word(one.get("path")).rstrip("/").rpartition("/")[2]
        names += [(name, source) for name in listed]
    times = config.get("n_attempts")
    if not names or not isinstance(times, int) or isinstance(times, bool) or times < 1:
        return None
    if times > MOST_ATTEMPTS:
        told.say("bad_plan", where, f"n_attempts is {str(times)[:20]}: no job has so many")
        return None
    plan = Plan()
    for name, source in names:
        plan.sources.setdefault(name, set()).add(source)
    for name, source in names:
        if task := readable_id(told, where, plan.id_of(name, source)):
            plan.draws[task] += times
    return plan


def declaration(run_id: str, plan: Plan | None, total: int | None, why: str) -> Declaration:
    """The plan in groups of tasks with as many repeats; without ids only how many, where the job says so."""
    if plan is None or not plan.draws:
        return undeclared(run_id, why, total)
    groups: dict[int, list[str]] = {}
    for task, times in sorted(plan.draws.items()):
        groups.setdefault(times, []).append(task)
    return Declaration(
        run_id=run_id,
        declared_n=sum(plan.draws.values()),
        tasks=tuple(DeclaredTasks(tasks=tuple(some), repeats=times) for times, some in sorted(groups.items())),
    )


def slice_digest(plan: Plan) -> str:
    """sha256 over the sorted lines `id digest` of the locked tasks; "" where one of them has no digest, or two."""
    pairs = [(task, next(iter(found))) for task, found in sorted(plan.digests.items()) if len(found) == 1]
    if not pairs or len(pairs) != len(plan.digests) or not all(digest for _, digest in pairs):
        return ""
    return hashlib.sha256("".join(f"{task} {digest}\n" for task, digest in pairs).encode()).hexdigest()


def conditions(
    config: Mapping[str, Any], lock: Mapping[str, Any], agent: Agent | None, plan: Plan | None
) -> dict[str, object]:
    """What a job records of its conditions, in the words of a manifest. What is null was not set, and is left out."""
    first = next(iter(tables(lock.get("trials"))), {})
    made = agent.config if agent else table(first.get("agent"))
    box = table(config.get("environment")) or table(first.get("environment"))
    harbor, retry = table(lock.get("harbor")), table(lock.get("retry")) or table(config.get("retry"))
    repeats = set(plan.draws.values()) if plan else set()
    found: dict[str, object] = {
        "name": _data_set(config, plan),
        "harness_version": harbor.get("version"),
        "harness_commit": harbor.get("git_commit_hash"),
        "harness_is_editable": harbor.get("is_editable") or None,
        "agent_id": made.get("import_path") or made.get("name"),
        "agent_kwargs": made.get("kwargs") or None,
        "agent_skills": made.get("skills") or None,
        "agent_mcp_servers": made.get("mcp_servers") or None,
        "model_id": made.get("model_name"),
        "endpoint_host": made.get("base_url"),
        "repeats": repeats.pop() if len(repeats) == 1 else config.get("n_attempts") if not repeats else None,
        "concurrency": lock.get("n_concurrent_trials") or config.get("n_concurrent_trials"),
        "sandbox": box.get("import_path") or box.get("type"),
        "cpus": box.get("override_cpus"),
        "mem_kill_mb": box.get("override_memory_mb"),
        "disk_mb": box.get("override_storage_mb"),
        "extra_allowed_hosts": box.get("extra_allowed_hosts") or None,
        "extra_instructions": _extra(config, first),
        **_retries(retry),
        **_times(config, first, made),
    }
    if plan and (digest := slice_digest(plan)):
        found["task_slice_sha256"] = digest
    return {name: carried(value) for name, value in found.items() if value not in (None, "")}


def _data_set(config: Mapping[str, Any], plan: Plan | None) -> str:
    """The data set whose tasks ran, with its version where that is recorded; "" where they are of several."""
    sources = {one for some in plan.sources.values() for one in some} if plan else set()
    listed = tables(config.get("datasets"))
    names = {word(one.get("name")) for one in listed if one.get("name")}
    versions = {word(one.get("version")) or word(one.get("ref")) for one in listed} - {""}
    found = sources or names
    if len(found) != 1:
        return ""
    return "@".join((found.pop(), *(versions if len(versions) == 1 and len(listed) == 1 else ())))


def _extra(config: Mapping[str, Any], first: Mapping[str, Any]) -> object:
    """Digests of instructions beside the tasks' own; their texts where there are only these are left in the log."""
    digests = [word(one.get("digest")) for one in tables(first.get("extra_instructions"))]
    if any(digests):
        return digests
    return "some" if config.get("extra_instructions") or config.get("extra_instruction_paths") else None


def _retries(retry: Mapping[str, Any]) -> dict[str, object]:
    most = retry.get("max_retries")
    if not isinstance(most, int) or isinstance(most, bool):
        return {}
    if most == 0:
        return {"retry_policy": "none", "max_attempts": 1}
    kept = (
        "max_retries",
        "include_exceptions",
        "exclude_exceptions",
        "wait_multiplier",
        "min_wait_sec",
        "max_wait_sec",
    )
    policy = {name: retry[name] for name in kept if retry.get(name) is not None}
    return {"retry_policy": policy, "max_attempts": most + 1}


def _times(config: Mapping[str, Any], first: Mapping[str, Any], made: Mapping[str, Any]) -> dict[str, object]:
    """Multipliers and overridden limits: what each task allows stands in the task, not in the job."""
    names = (
        "timeout_multiplier",
        "agent_timeout_multiplier",
        "verifier_timeout_multiplier",
        "agent_setup_timeout_multiplier",
    )
    found: dict[str, object] = {name: config.get(name, first.get(name)) for name in names}
    verifier = table(config.get("verifier")) or table(first.get("verifier"))
    unscaled = all(value in (None, 1) for value in found.values())
    found["wall_cap_s"] = made.get("override_timeout_sec") if unscaled else None
    found["verify_timeout_s"] = verifier.get("override_timeout_sec") if unscaled else None
    found["agent_timeout_max_s"] = made.get("max_timeout_sec")
    return found


def grades_late_work(config: Mapping[str, Any], lock: Mapping[str, Any]) -> bool:
    """Does a reward stand that came after the agent's time was over? It does unless the job's own error policy says no."""
    first = next(iter(tables(lock.get("trials"))), {})
    changed = table(table(config.get("override_error_policy") or first.get("override_error_policy")).get(TIMEOUT))
    return changed.get("has_valid_reward") is not False and changed.get("should_grade") is not False
