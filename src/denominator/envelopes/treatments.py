"""What is meant to differ must be a condition that a seal states: a misspelt one would be noticed after the run only."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from denominator.errors import Problem
from denominator.records.envelopes import Envelope
from denominator.records.field_names import our_name

STATED = (
    "access_class", "agent_env", "agent_id", "agent_mounts", "agent_version", "arm", "baseline_digest",
    "budget_tokens_per_task", "call_cap", "cassette", "causes_digest", "concurrency", "cpu_model", "cpus", "disk_mb",
    "endpoint_host", "endpoint_path", "endpoint_route", "endpoint_terms", "env_image_digest", "file_mb", "grading_levels",
    "harness_commit", "harness_name", "harness_version", "headline_metric", "house_reasons", "incarnations_max",
    "infra_rate_ceiling", "invalid_rate_ceiling", "kernel", "max_attempts", "max_output_tokens",
    "mem_guaranteed_mb", "mem_kill_mb", "memory_bytes", "model_id", "model_snapshot", "network",
    "never_started_allowed", "on_timeout", "open_files", "operator", "output_cap_bytes", "processes", "prompt_id",
    "prompt_template_sha256", "provider_faults", "provider_region", "purpose", "repeats", "retry_policy", "rules_digest",
    "run_cap_tokens", "runner", "sandbox", "scorer", "scoring_script_sha256", "sealed_at_utc", "seed", "seeds",
    "sentence", "server_class", "site_packages", "task_order_sha256", "task_slice_sha256", "temperature",
    "terms_read_on", "tool_call_cap", "tool_list_digest", "tool_loop_n", "tool_timeout_s", "toolchain_digest",
    "transport_retries", "turn_cap", "usage_convention", "verify_timeout_s", "wall_cap_s", "warmup_tasks", "working_cap_s",
)  # fmt: skip
"""The names of the conditions of a run of ours; a test holds that `conditions_of` states these and no other."""


def treatment_problems(envelope: Envelope) -> Iterator[Problem]:
    """Treatment fields that name no condition, each with the nearest names there are."""
    for number, told in enumerate(envelope.treatment):
        name = our_name(told)
        if name not in STATED:
            near = get_close_matches(name, STATED, n=3, cutoff=0.5)
            fix = f"one of: {', '.join(near)}" if near else "docs/formats/conditions.md lists the fields"
            yield Problem(f"treatment[{number}]", f'"{told}" names no condition of a run', fix)
