"""The names of conditions: one name a field here, and what envelopes and foreign documents call it."""

from __future__ import annotations

from collections.abc import Mapping

from denominator.records.values import NotMeasured, is_placeholder

ALSO: Mapping[str, tuple[str, ...]] = {
    "agent_id": ("agent", "arm.agent", "agent_name", "arm.command", "arm.script"),
    "agent_version": ("arm.agent_version",),
    "agent_env": ("arm.env",),
    "agent_mounts": ("arm.mounts",),
    "harness_commit": ("arm.harness_commit", "harness_digest", "harness_sha256"),
    "harness_name": ("harness",),
    "model_id": ("model", "arm.model", "arm.model.id", "model.id", "model_alias", "model_name"),
    "model_snapshot": ("arm.model.snapshot", "model.snapshot"),
    "temperature": ("arm.model.temperature", "model.temperature"),
    "seed": ("arm.model.seed", "model.seed"),
    "max_output_tokens": ("arm.model.max_output_tokens", "model.max_output_tokens", "max_tokens"),
    "endpoint_host": ("endpoint", "arm.model.endpoint", "model.endpoint"),
    "access_class": ("arm.model.access_class", "model.access_class"),
    "server_class": ("arm.model.server_class", "model.server_class"),
    "budget_tokens_per_task": ("budget.tokens", "token_budget", "budget_tokens"),
    "wall_cap_s": ("budget.wall_s", "wall_s", "wall_cap", "timeout_s", "timeout", "agent_timeout_s"),
    "working_cap_s": ("budget.working_s", "working_s"),
    "tool_call_cap": ("budget.tool_calls", "max_tool_calls", "tool_calls_max"),
    "call_cap": ("budget.calls", "max_calls", "llm_calls_max"),
    "turn_cap": ("max_turns", "turns_max", "step_limit", "max_steps"),
    "output_cap_bytes": ("budget.output_bytes", "output_bytes"),
    "max_attempts": ("budget.attempts", "retry_cap", "attempts"),
    "incarnations_max": ("budget.incarnations_max",),
    "repeats": ("budget.repeats",),
    "seeds": ("run.seeds",),
    "on_timeout": ("policy.on_timeout",),
    "retry_policy": ("policy.retry", "retries", "resume_policy"),
    "never_started_allowed": ("policy.never_started_allowed",),
    "tool_loop_n": ("policy.tool_loop_n", "loop_n"),
    "house_reasons": ("reasons",),
    "network": ("sandbox.network",),
    "sandbox": ("sandbox.backend", "sandbox.image"),
    "mem_kill_mb": ("sandbox.memory_mb",),
    "processes": ("sandbox.processes",),
    "disk_mb": ("sandbox.disk_mb",),
    "file_mb": ("sandbox.file_mb",),
    "open_files": ("sandbox.open_files",),
    "concurrency": ("run.concurrency",),
    "transport_retries": ("gateway.retries",),
    "provider_faults": ("gateway.fault",),
    "cassette": ("gateway.cassette",),
    "warmup_tasks": ("run.warmup_tasks",),
    "run_cap_tokens": ("run.run_cap_tokens", "cap_tokens"),
    "task_order_sha256": ("run.order_seed", "order_digest", "task_order"),
    "headline_metric": ("metric.headline", "headline"),
    "scorer": ("metric.scorer", "scorer_kind"),
    "scoring_script_sha256": ("grader_sha", "grader_digest", "verify_script_sha256"),
    "prompt_template_sha256": ("prompt_hash", "prompt_sha256", "template_digest", "prompt_template_digest"),
    "tool_list_digest": ("tools", "tool_list", "tools_sha256", "tool_list_sha256"),
    "served_host": ("served_by",),
    "quantisation": ("quant", "quantization"),
    "usage_convention": ("usage_estimator", "estimator"),
    "env_image_digest": ("image_digest", "container_digest", "container_image"),
    "started_at_utc": ("started_at",),
    "finished_at_utc": ("finished_at", "ended_at_utc"),
    "verify_timeout_s": ("verify_timeout",),
    "invalid_rate_ceiling": ("ceilings.invalid_rate",),
    "infra_rate_ceiling": ("ceilings.infra_rate",),
}
"""Other names of a field: paths of the envelope, and words that foreign documents use."""
NAMES: Mapping[str, str] = {alias: name for name, aliases in ALSO.items() for alias in aliases}
GROUPS = (
    "provenance",
    "env",
    "envelope",
    "sandbox",
    "dataset",
    "metrics",
    "limits",
    "budget",
    "policy",
    "run",
    "faults",
    "box",
    "decoding",
)
"""Tables of a foreign document that only group fields: `env.mem_kill_mb` is `mem_kill_mb`."""


def our_name(told: str) -> str:
    """The name of a field: its own, or ours for a path of the envelope, a grouped or a foreign word (`arm.model.id`)."""
    name = told.strip()
    if (found := NAMES.get(name)) is not None:
        return found
    group, _, last = name.partition(".")
    if group in GROUPS and last:
        return NAMES.get(last, last)
    return name


FLOATING = ("latest", "current", "default", "newest")
"""Words in a model's name that say: whatever is served today."""


def known_snapshot(model_id: str | NotMeasured, stated: str | NotMeasured) -> str | NotMeasured:
    """The snapshot as stated; unknown where it is the alias itself or a name that moves."""
    if isinstance(stated, NotMeasured):
        return stated
    if is_placeholder(stated):
        return NotMeasured("not filled in")
    alias = model_id if isinstance(model_id, str) else ""
    if stated in (alias, alias.rpartition("/")[2]) and stated != "none":
        return NotMeasured("the snapshot is the alias: which one was served stays unknown")
    words = "".join(one if one.isalnum() else " " for one in stated.lower()).split()
    return NotMeasured(f"{stated} is a name that moves") if any(word in FLOATING for word in words) else stated
